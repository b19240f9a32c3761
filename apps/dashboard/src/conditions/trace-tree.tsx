/** The result of each node of a condition, as the API reports it: what held, what did not, and the values. */
import { CheckIcon, Cross2Icon, QuestionMarkIcon } from '@radix-ui/react-icons';
import { texts } from '../texts/texts.js';
import type { NameOf } from '../ui/record-names.js';
import type { TraceLeaf, TraceNode } from './trace.js';
import { isolated, predicateText, valueText } from './words.js';
import styles from './conditions.module.css';

export const TraceTree = ({ trace, nameOf }: { trace: TraceNode; nameOf: NameOf }) => (
  <ul className={styles.trace}>
    <Node node={trace} nameOf={nameOf} />
  </ul>
);

const marks = { held: CheckIcon, failed: Cross2Icon, undecided: QuestionMarkIcon };

function Node({ node, nameOf }: { node: TraceNode; nameOf: NameOf }) {
  const result = node.undecided ? 'undecided' : node.holds ? 'held' : 'failed';
  const Mark = marks[result];
  return (
    <li className={styles.node} data-result={result}>
      <div className={styles.nodeLine}>
        <span className={styles.result}>
          <Mark aria-hidden />
          {texts.conditions.trace[result]}
        </span>
        <span>
          {node.kind === 'predicate' ? predicateText(node, nameOf) : texts.conditions.trace[node.kind]}
          {node.kind === 'predicate' && <Actual node={node} nameOf={nameOf} />}
        </span>
      </div>
      {'children' in node && (
        <ul className={styles.trace}>
          {node.children.map((child) => (
            <Node key={child.path} node={child} nameOf={nameOf} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Actual({ node, nameOf }: { node: TraceLeaf; nameOf: NameOf }) {
  const { actual, noValue } = texts.conditions.trace;
  const isList = typeof node.actual === 'string' && node.actual.includes(', ') && node.field.startsWith('alerts.any.');
  const text =
    node.actual === null
      ? noValue
      : actual(isList ? isolated(String(node.actual)) : valueText(node.field, node.actual, nameOf));
  return <span className={styles.actual}> {text}</span>;
}
