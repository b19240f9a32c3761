// esbuild's `keepNames` calls `__name(value, "name")` for each function and class, whether it has renamed it or not,
// and for a function within another one at each call of the outer one: 7 µs of a request to the ingest gateway. This
// leaves out the calls for functions that have a name anyway. Those for classes stay: NestJS and TypeORM use their
// names. https://github.com/evanw/esbuild/issues/2605
import { parse } from 'acorn';

/** `text`: an ES module that esbuild has written. */
export function withoutNeedlessNames(text) {
  const removed = [];
  visit(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }), null, (node, parent) => {
    if (!isNameCall(node)) return;
    const [value, { value: name }] = node.arguments;
    if (!hasName(value, name, parent)) return;
    removed.push([node.start, value.start], [value.end, node.end]);
  });
  removed.sort(([a], [b]) => a - b);
  let result = '';
  let from = 0;
  for (const [start, end] of removed) {
    result += text.slice(from, start);
    from = end;
  }
  return result + text.slice(from);
}

const isNameCall = ({ type, callee, arguments: args }) =>
  type === 'CallExpression' && callee.name === '__name' && args.length === 2 && typeof args[1].value === 'string';

/**
 * Whether the value is a function that has a name without the call: a declaration with this name, or an expression that
 * gets the name of what it is assigned to ("NamedEvaluation" in ECMA-262), which esbuild may have numbered: `send2`.
 */
function hasName(value, name, parent) {
  if (value.type === 'Identifier') return value.name === name;
  if (value.type !== 'FunctionExpression' && value.type !== 'ArrowFunctionExpression') return false;
  if (value.id) return value.id.name === name;
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier';
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return parent.left.type === 'Identifier';
    case 'Property':
    case 'PropertyDefinition':
      return !parent.computed;
    default:
      return false;
  }
}

function visit(node, parent, see) {
  see(node, parent);
  for (const key in node) {
    const child = node[key];
    if (child === null || typeof child !== 'object') continue;
    if (Array.isArray(child)) {
      for (const one of child) if (one !== null && typeof one.type === 'string') visit(one, node, see);
    } else if (typeof child.type === 'string') visit(child, node, see);
  }
}
