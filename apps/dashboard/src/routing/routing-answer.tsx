import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.js';
import { duration } from '../ui/time.js';
import type { Answer, PagedBy, Told } from './answer.js';
import styles from './routing.module.css';

/** First the answer, then the steps to it. */
export const RoutingAnswer = ({ answer, labels }: { answer: Answer; labels: readonly string[] }) => (
  <>
    <section className={styles.answer} data-verdict={answer.verdict} aria-labelledby="answer" role="status">
      <h2 id="answer" className={styles.verdict}>
        {texts.routing.verdicts[answer.verdict]}
      </h2>
      {answer.pages.map((page, i) => (
        <div key={i}>
          <Recipients told={page.told} />
          {page.later.map(({ level, afterSeconds, told }) => (
            <div key={level}>
              <p className={styles.later}>{texts.routing.later(level, duration(afterSeconds))}</p>
              <Recipients told={told} />
            </div>
          ))}
        </div>
      ))}
      <NextStep answer={answer} />
    </section>
    <ol className={styles.steps} aria-label={texts.routing.steps}>
      <Step title={texts.routing.stepAlert}>
        {answer.faults.length > 0 ? answer.faults.join('; ') : <bdi>{texts.routing.alertWith(labels.join(', '))}</bdi>}
      </Step>
      <Step title={texts.routing.stepWindows}>
        {answer.windows.length === 0 ? texts.routing.noWindows : <bdi>{answer.windows.join(', ')}</bdi>}
      </Step>
      <Step title={texts.routing.stepWorkflows}>
        {answer.workflows.length === 0 && texts.routing.noWorkflows}
        <ul className={styles.plain}>
          {answer.workflows.map(({ id, name, outcome }) => (
            <li key={id} data-runs={outcome === 'run'}>
              <bdi>{name}</bdi>: {texts.routing.outcome(outcome)}
            </li>
          ))}
        </ul>
        {answer.messages.map(({ workflow, would, told }, i) => (
          <p key={i}>
            <bdi>{workflow.name}</bdi>: {would} <Recipients told={told} />
          </p>
        ))}
        {answer.pages.length === 0 && answer.catchAll !== null && <p>{answer.catchAll}</p>}
      </Step>
      <Step title={texts.routing.stepPolicy}>
        {answer.pages.length === 0 && texts.routing.noPolicy}
        {answer.pages.map((page, i) => (
          <Policy key={i} page={page} />
        ))}
      </Step>
      <Step title={texts.routing.stepIncident}>
        {answer.incident === null ? texts.routing.noIncident : texts.routing.incident(answer.incident)}
      </Step>
    </ol>
  </>
);

const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <li className={styles.step}>
    <h3 className={styles.stepTitle}>{title}</h3>
    <div>{children}</div>
  </li>
);

const Recipients = ({ told }: { told: readonly Told[] }) => (
  <ul className={styles.recipients}>
    {told.map(({ channel, target, why, unreachable }) => (
      <li key={`${channel} ${target}`}>
        <bdi className={styles.target}>{target}</bdi> <bdi className={styles.hint}>{why}</bdi>
        {unreachable !== null && <bdi className={styles.fault}> {texts.routing.unreachable(unreachable)}</bdi>}
      </li>
    ))}
  </ul>
);

const Policy = ({ page: { policyId, policyName, why } }: { page: PagedBy }) => (
  <p>
    {policyId === null ? (
      texts.routing.owners
    ) : (
      <Link to="/policies/$id" params={{ id: policyId }}>
        <bdi>{policyName}</bdi>
      </Link>
    )}{' '}
    <bdi className={styles.hint}>{why}</bdi>
  </p>
);

/** What to do when nobody would be told. */
function NextStep({ answer: { verdict, pages } }: { answer: Answer }) {
  const policyId = pages[0]?.policyId;
  if (verdict === 'unreachable' && policyId) {
    return (
      <Link to="/policies/$id" params={{ id: policyId }}>
        {texts.routing.mendPolicy}
      </Link>
    );
  }
  if (verdict === 'nobody') return <Link to="/workflows">{texts.routing.toWorkflows}</Link>;
  if (verdict === 'suppressed') return <Link to="/suppression">{texts.routing.toSuppression}</Link>;
  return null;
}
