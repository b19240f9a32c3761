import fc from 'fast-check';
import { explainCondition, type TraceNode } from './condition.js';
import type { Condition } from './condition-schema.js';
import { missDistance } from './miss-distance.js';
import { facts } from '../../testing/condition-facts.js';

const yes: Condition = { field: 'severity', op: 'eq', value: 'high' };
const no: Condition = { field: 'severity', op: 'eq', value: 'low' };
const distanceOf = (condition: Condition | null) => missDistance(explainCondition(condition, facts).trace);

test.each<[string, Condition | null, number]>([
  ['no condition', null, 0],
  ['a predicate that holds', yes, 0],
  ['a predicate that does not hold', no, 1],
  ['all with one that does not hold', { all: [yes, no, yes] }, 1],
  ['all with two that do not hold', { all: [no, yes, no] }, 2],
  ['any with none that holds', { any: [no, no] }, 1],
  ['any of groups: the nearest one counts', { any: [{ all: [no, no, no] }, { all: [no, no] }] }, 2],
  ['not of one that holds', { not: yes }, 1],
  ['not of all: one of them is enough', { not: { all: [yes, yes] } }, 1],
  ['not of any: each that holds counts', { not: { any: [yes, no, yes] } }, 2],
  ['groups in groups', { all: [{ not: { any: [yes, yes] } }, no] }, 3],
])('%s: %j is %d away', (_name, condition, expected) => expect(distanceOf(condition)).toBe(expected));

const condition: fc.Arbitrary<Condition> = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(yes, no),
    fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
})).node;

const leaves = (node: TraceNode): number =>
  'children' in node ? node.children.reduce((count, child) => count + leaves(child), 0) : 1;

test('it is 0 exactly when the condition holds, never above the number of predicates, and 1 is one changed result', () => {
  fc.assert(
    fc.property(condition, (one) => {
      const { holds, trace } = explainCondition(one, facts);
      const found = missDistance(trace);
      expect(found === 0).toBe(holds);
      expect(found).toBeLessThanOrEqual(leaves(trace));
      expect(found === 1).toBe(!holds && changes(one).some((changed) => explainCondition(changed, facts).holds));
    }),
  );
});

/** The condition with the result of one predicate changed, for each predicate. */
function changes(node: Condition): Condition[] {
  const inGroup = (parts: Condition[]): Condition[][] =>
    parts.flatMap((part, index) => changes(part).map((changed) => parts.with(index, changed)));
  if ('all' in node) return inGroup(node.all).map((all) => ({ all }));
  if ('any' in node) return inGroup(node.any).map((any) => ({ any }));
  if ('not' in node) return changes(node.not).map((not) => ({ not }));
  return [node === yes ? no : yes];
}
