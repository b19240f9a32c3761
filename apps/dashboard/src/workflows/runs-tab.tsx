import { Button, SegmentedControl } from '@mantine/core';
import type { QueryInput } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';
import { EmptyState } from '../ui/empty-state.js';
import { RecordList } from '../ui/record-list.js';
import { RelativeTime } from '../ui/relative-time.js';
import type { Workflow } from './definition.js';
import { RunDrawer, type Run } from './run-drawer.js';
import { workflowRoute } from './workflows.routes.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './workflows.module.css';

const { runs, runStatus, outcome, eventTexts } = texts.workflows;
const statuses = ['running', 'waiting', 'completed', 'failed'] as const;

export function RunsTab({ workflow: { id } }: { workflow: Workflow }) {
  const { status, run: opened } = workflowRoute.useSearch();
  const navigate = workflowRoute.useNavigate();
  const open = (run: string | undefined): void => void navigate({ search: (before) => ({ ...before, run }) });
  const filter = (next: string): void =>
    void navigate({
      search: (before) => ({ ...before, status: statuses.find((one) => one === next) }),
      replace: true,
    });
  return (
    <div className={ruleStyles.fields}>
      <div>
        <SegmentedControl
          size="xs"
          aria-label={runs.status}
          value={status ?? 'all'}
          data={[{ value: 'all', label: runs.all }, ...statuses.map((value) => ({ value, label: runStatus[value] }))]}
          onChange={filter}
        />
      </div>
      <RecordList
        operation="listWorkflowRuns"
        label={texts.workflows.tabs.runs}
        path={{ id }}
        query={(status ? { status: [status] } : {}) as QueryInput<'listWorkflowRuns'>}
        onOpen={open}
        phoneRow={(run) => (
          <span className={ruleStyles.name}>
            <span className={styles.nameLine}>
              <strong>{runStatus[run.status]}</strong> <RelativeTime at={run.createdAt} />
            </span>
            <span className={ruleStyles.text}>{eventTexts[run.event]}</span>
            <StepMarks run={run} />
          </span>
        )}
        empty={
          status ? (
            <EmptyState title={runs.emptyFiltered} />
          ) : (
            <EmptyState
              title={runs.empty}
              hint={runs.emptyHint}
              action={
                <Button
                  variant="default"
                  onClick={() => void navigate({ search: ({ env }) => ({ env, tab: 'test' as const }) })}
                >
                  {texts.workflows.test.run}
                </Button>
              }
            />
          )
        }
        columns={[
          { id: 'when', title: runs.when, width: '6rem', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
          { id: 'status', title: runs.status, width: '7rem', cell: ({ status: at }) => runStatus[at] },
          { id: 'event', title: runs.event, width: 'minmax(0, 1fr)', cell: ({ event }) => eventTexts[event] },
          { id: 'steps', title: runs.steps, width: 'minmax(0, 8rem)', cell: (run) => <StepMarks run={run} /> },
        ]}
      />
      <RunDrawer workflowId={id} runId={opened} onClose={() => open(undefined)} />
    </div>
  );
}

const StepMarks = ({ run }: { run: Run }) => (
  <span
    className={styles.runSteps}
    role="img"
    aria-label={run.steps.map((step) => `${step.id}: ${outcome[step.outcome]}`).join(', ')}
  >
    {run.steps.map((step) => (
      <span
        key={step.id}
        className={styles.runStep}
        data-outcome={step.outcome}
        title={`${step.id}: ${outcome[step.outcome]}`}
      />
    ))}
  </span>
);
