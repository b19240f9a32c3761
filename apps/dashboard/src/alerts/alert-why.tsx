import { useQuery } from '@tanstack/react-query';
import { cannotShow, read } from '../api/queries.js';
import { TraceTree } from '../conditions/trace-tree.js';
import { texts } from '../texts/texts.js';
import { EmptyState } from '../ui/empty-state.js';
import { ErrorState } from '../ui/error-state.js';
import { Facts } from '../ui/facts.js';
import { useRecordNames, type NameOf } from '../ui/record-names.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { Timeline } from '../ui/timeline.js';
import { whySteps, type WhyStep } from './why-steps.js';
import styles from './alerts.module.css';

/** Every decision about the alert with its reason. */
export function AlertWhy({ id }: { id: string }) {
  const nameOf = useRecordNames(['member', 'integration', 'team', 'schedule']);
  const explanation = useQuery(read('explainAlert', { path: { id } }));
  if (explanation.isPending) return <RowsSkeleton rows={5} />;
  if (cannotShow(explanation)) return <ErrorState error={explanation.error} retry={() => void explanation.refetch()} />;
  const steps = whySteps(explanation.data);
  if (steps.length === 0) return <EmptyState title={texts.alerts.why.empty} />;
  return (
    <>
      <p className={styles.summary} dir="auto">
        {explanation.data.summary}
      </p>
      <Timeline items={steps.map((step) => ({ ...step, details: <Details step={step} nameOf={nameOf} /> }))} />
    </>
  );
}

function Details({ step: { mapping, trace }, nameOf }: { step: WhyStep; nameOf: NameOf }) {
  return (
    <>
      {mapping && (
        <details className={styles.fold}>
          <summary>{texts.alerts.why.mapping}</summary>
          <Facts facts={mapping.map(({ field, from }) => [field, from])} />
        </details>
      )}
      {trace && trace.kind !== 'always' && (
        <details className={styles.fold} open={!trace.holds}>
          <summary>{texts.alerts.why.conditions}</summary>
          <TraceTree trace={trace} nameOf={nameOf} />
        </details>
      )}
    </>
  );
}
