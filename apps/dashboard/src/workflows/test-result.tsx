/** What a test has found: whether it would run, each condition, each step. */
import type { Data } from '../api/operation-types.js';
import { failedLeaves, type TraceNode } from '../conditions/trace.js';
import { TraceTree } from '../conditions/trace-tree.js';
import { fieldText } from '../conditions/words.js';
import { texts } from '../texts/texts.js';
import { ExactTime } from '../ui/exact-time.js';
import { useRecordNames } from '../ui/record-names.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './workflows.module.css';

type Result = Data<'testWorkflow'>;

interface Recipient {
  channel: string;
  target: string;
  why?: string;
  unreachable?: string | null;
}

interface ConsideredWindow {
  windowId: string;
  name: string;
  matched: boolean;
  undecided?: boolean;
}

const { test } = texts.workflows;

export function TestResult({ result }: { result: Result }) {
  const { runs, reason, event, alert, steps } = result;
  const nameOf = useRecordNames(['member', 'integration', 'team', 'schedule']);
  const trace = result.trace as unknown as TraceNode | null;
  const windows = result.windows as unknown as ConsideredWindow[];
  const failed = trace === null || trace.holds ? [] : failedLeaves(trace);
  return (
    <>
      <div className={styles.verdict} data-runs={runs} role="status">
        <strong>{runs ? test.wouldRun : test.wouldNotRun}.</strong> {reason !== null && test.reasons[reason]}
        {failed.length > 0 && (
          <p>
            {(trace?.undecided ? test.undecided : test.failing)(
              [...new Set(failed.map(({ field }) => fieldText(field)))].join(', '),
            )}
          </p>
        )}
        <p>
          {event === null ? test.noEvent : test.onEvent(texts.workflows.eventTexts[event])}{' '}
          {alert !== null && (test.alertDecision[alert.decision] ?? alert.decision)}
        </p>
      </div>
      {trace !== null && (
        <section className={styles.part}>
          <h2>{test.conditions}</h2>
          <TraceTree trace={trace} nameOf={nameOf} />
        </section>
      )}
      {windows.length > 0 && (
        <section className={styles.part}>
          <h2>{test.windows}</h2>
          <ul className={styles.recipients}>
            {windows.map(({ windowId, name, matched, undecided }) => (
              <li key={windowId}>
                <bdi>{(undecided ? test.windowUndecided : matched ? test.windowMatched : test.windowNot)(name)}</bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className={styles.part}>
        <h2>{runs ? test.steps : test.stepsIfRan}</h2>
        <ol className={styles.planned}>
          {steps.map((step) => (
            <li key={step.id}>
              <span className={styles.outcome} data-outcome={step.outcome}>
                {texts.workflows.outcome[step.outcome]}
              </span>
              <div>
                <strong>{texts.workflows.stepTypes[step.type as keyof typeof texts.workflows.stepTypes]}</strong>{' '}
                <span className={ruleStyles.hint}>
                  <ExactTime at={step.at} />
                </span>
                <div>
                  <bdi>{step.would}</bdi>
                </div>
                {step.reason !== null && <div className={ruleStyles.hint}>{step.reason}</div>}
                <Recipients recipients={(step.page?.levelOne ?? step.targets) as unknown as Recipient[]} />
              </div>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

const Recipients = ({ recipients }: { recipients: Recipient[] }) =>
  recipients.length > 0 && (
    <ul className={styles.recipients} aria-label={test.recipients}>
      {recipients.map(({ channel, target, why, unreachable }, index) => (
        <li key={index}>
          {texts.notifications.channels[channel] ?? channel}: <bdi>{target}</bdi> {why && <bdi>{why}</bdi>}{' '}
          {unreachable && <strong>{test.unreachable(unreachable)}</strong>}
        </li>
      ))}
    </ul>
  );
