import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { list, rowsOf } from '../api/queries.js';
import type { Item } from '../api/operation-types.js';
import type { TraceNode } from '../conditions/trace.js';
import { TraceTree } from '../conditions/trace-tree.js';
import { texts } from '../texts/texts.js';
import { DetailDrawer } from '../ui/detail-drawer.js';
import { ExactTime } from '../ui/exact-time.js';
import { useRecordNames } from '../ui/record-names.js';
import { workflowRoute } from './workflows.routes.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './workflows.module.css';

export type Run = Item<'listWorkflowRuns'>;

const { runs, runStatus, outcome, eventTexts } = texts.workflows;

export interface RunDrawerProps {
  workflowId: string;
  runId: string | undefined;
  onClose: () => void;
}

/** One run: why it began, and what became of each step. It is among the rows that the list has read. */
export function RunDrawer({ workflowId, runId, onClose }: RunDrawerProps) {
  const { status } = workflowRoute.useSearch();
  const query = status ? { status: [status] } : {};
  const found = useInfiniteQuery({
    ...list('listWorkflowRuns', query as never, { id: workflowId }),
    enabled: runId !== undefined,
  });
  const run = rowsOf(found.data).find(({ id }) => id === runId);
  return (
    <DetailDrawer
      open={runId !== undefined && !found.isPending}
      onClose={onClose}
      title={run ? runs.title(eventTexts[run.event]) : texts.ui.notFound}
    >
      {run && <RunDetail run={run} />}
    </DetailDrawer>
  );
}

function RunDetail({ run }: { run: Run }) {
  const nameOf = useRecordNames(['member', 'integration', 'team', 'schedule']);
  const trace = run.trace as unknown as TraceNode | null;
  return (
    <>
      <section className={styles.part}>
        <p className={ruleStyles.hint}>
          {runStatus[run.status]} · <ExactTime at={run.createdAt} /> · {runs.version(run.workflowVersion)}
        </p>
        {run.error !== null && <p className={ruleStyles.fault}>{run.error}</p>}
        {run.alertId !== null && (
          <Button component={Link} to={`/alerts?alert=${run.alertId}` as '/alerts'} variant="default" mt="xs">
            {texts.workflows.test.openAlert}
          </Button>
        )}
      </section>
      {trace !== null && (
        <section className={styles.part}>
          <h3>{runs.why}</h3>
          <TraceTree trace={trace} nameOf={nameOf} />
        </section>
      )}
      <section className={styles.part}>
        <h3>{runs.steps}</h3>
        <ol className={styles.planned}>
          {run.steps.map((step) => (
            <li key={step.id}>
              <span className={styles.outcome} data-outcome={step.outcome}>
                {outcome[step.outcome]}
              </span>
              <div>
                <strong>{texts.workflows.stepTypes[step.type as keyof typeof texts.workflows.stepTypes]}</strong>{' '}
                <span className={ruleStyles.hint}>
                  {step.outcome === 'pending' && `${runs.due} `}
                  {step.at !== null && <ExactTime at={step.at} />}
                </span>
                {step.reason !== null && <Text size="sm">{step.reason}</Text>}
                {step.detail !== null && (
                  <details>
                    <summary className={ruleStyles.hint}>{runs.detail}</summary>
                    <pre className={styles.detail} tabIndex={0}>
                      {JSON.stringify(step.detail, null, 2)}
                    </pre>
                  </details>
                )}
              </div>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}
