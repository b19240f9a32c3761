import { NativeSelect, SegmentedControl } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { QueryInput } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';
import { ListPage } from '../ui/list-page.js';
import { RecordList } from '../ui/record-list.js';
import { useRecordNames } from '../ui/record-names.js';
import { RelativeTime } from '../ui/relative-time.js';
import { workflowEvents, type Workflow } from './definition.js';
import { WorkflowSwitch } from './workflow-switch.js';
import { whenText, workflowText } from './words.js';
import { workflowsRoute } from './workflows.routes.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './workflows.module.css';

const workflows = texts.workflows;

export function WorkflowsPage() {
  const { q, enabled, event } = workflowsRoute.useSearch();
  const navigate = workflowsRoute.useNavigate();
  const nameOf = useRecordNames(['member', 'schedule', 'policy', 'team', 'integration']);
  const filter = (change: {
    q?: string | undefined;
    enabled?: 'true' | 'false' | undefined;
    event?: string | undefined;
  }): void => void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const isFiltered = q !== undefined || enabled !== undefined || event !== undefined;
  return (
    <ListPage
      title={workflows.title}
      create={{ operation: 'createWorkflow', label: texts.newRecords.createWorkflow, to: '/workflows/new' }}
      search={{ label: workflows.search, value: q, onChange: (next) => filter({ q: next }) }}
      filters={
        <>
          <SegmentedControl
            size="xs"
            aria-label={workflows.state}
            value={enabled ?? 'all'}
            data={[
              { value: 'all', label: workflows.filter.all },
              { value: 'true', label: workflows.filter.on },
              { value: 'false', label: workflows.filter.off },
            ]}
            onChange={(next) => filter({ enabled: next === 'all' ? undefined : (next as 'true' | 'false') })}
          />
          <NativeSelect
            size="xs"
            aria-label={workflows.events}
            value={event ?? ''}
            data={[
              { value: '', label: workflows.anyEvent },
              ...workflowEvents.map((value) => ({ value, label: workflows.eventTexts[value] })),
            ]}
            onChange={({ currentTarget }) => filter({ event: currentTarget.value || undefined })}
          />
        </>
      }
      empty={{
        title: workflows.empty,
        hint: workflows.emptyHint,
        filtered: workflows.emptyFiltered,
        clear: isFiltered ? () => filter({ q: undefined, enabled: undefined, event: undefined }) : undefined,
      }}
    >
      {(empty) => (
        <RecordList
          operation="listWorkflows"
          label={workflows.title}
          query={{ q, enabled, event: event && [event] } as QueryInput<'listWorkflows'>}
          onOpen={(id) => void navigate({ to: '/workflows/$id', params: { id } })}
          phoneRow={(workflow) => <Name workflow={workflow} text={workflowText(workflow, nameOf)} withSwitch />}
          empty={empty}
          columns={[
            { id: 'on', title: workflows.enabled, width: '3.25rem', cell: (one) => <WorkflowSwitch workflow={one} /> },
            {
              id: 'name',
              title: workflows.what,
              width: 'minmax(0, 1.6fr)',
              cell: (one) => <Name workflow={one} text={workflowText(one, nameOf)} />,
            },
            {
              id: 'events',
              title: workflows.events,
              width: 'minmax(0, 1fr)',
              cell: ({ trigger }) => <span className={ruleStyles.text}>{whenText(trigger.events)}</span>,
            },
            {
              id: 'lastRun',
              title: workflows.lastRun,
              width: '6rem',
              cell: ({ lastRunAt }) => <RelativeTime at={lastRunAt} />,
            },
          ]}
        />
      )}
    </ListPage>
  );
}

const Name = ({ workflow, text, withSwitch = false }: { workflow: Workflow; text: string; withSwitch?: boolean }) => (
  <span className={ruleStyles.name} data-off={!workflow.enabled || undefined}>
    <span className={styles.nameLine}>
      <Link to="/workflows/$id" params={{ id: workflow.id }} className={styles.link}>
        <bdi>{workflow.name}</bdi>
      </Link>
      {withSwitch && <WorkflowSwitch workflow={workflow} />}
    </span>
    <span className={ruleStyles.text}>{text}</span>
    {withSwitch && (
      <span className={ruleStyles.text}>
        {workflows.lastRun}: <RelativeTime at={workflow.lastRunAt} />
      </span>
    )}
  </span>
);
