import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { cannotShow, read } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { DeleteButton } from '../ui/delete-button.js';
import { notifyDone } from '../ui/notify.js';
import { PageError } from '../ui/page-error.js';
import { PageHeader } from '../ui/page-header.js';
import { PageSkeleton } from '../ui/skeletons.js';
import { definitionOf, valuesOf, type Workflow, type WorkflowValues } from './definition.js';
import { JsonTab } from './json-tab.js';
import { RunsTab } from './runs-tab.js';
import { TestTab } from './test-tab.js';
import { useWorkflowForm } from './use-workflow-form.js';
import { WorkflowForm } from './workflow-form.js';
import { WorkflowSwitch } from './workflow-switch.js';
import { WorkflowWords } from './workflow-words.js';
import { workflowRoute } from './workflows.routes.js';
import styles from './workflows.module.css';

const workflows = texts.workflows;

export function WorkflowPage() {
  const { id } = workflowRoute.useParams();
  const workflow = useQuery(read('getWorkflow', { path: { id } }));
  if (workflow.isPending) return <PageSkeleton />;
  if (cannotShow(workflow)) return <PageError list="/workflows" found={workflow} />;
  return <OneWorkflow key={id} workflow={workflow.data} />;
}

/** What a version of the form has in common with the record: turning it on or off changes neither. */
const contentOf = (values: WorkflowValues): string => JSON.stringify({ ...values, enabled: true });

function OneWorkflow({ workflow }: { workflow: Workflow }) {
  const { id, name, version } = workflow;
  const { tab = 'edit' } = workflowRoute.useSearch();
  const navigate = workflowRoute.useNavigate();
  const can = useCan();
  const stored = valuesOf(workflow);
  const [base, setBase] = useState(stored);
  const update = useAct('updateWorkflow', {
    changes: ['getWorkflow', 'listWorkflows'],
    onSuccess: ({ data }) => {
      setBase(valuesOf(data));
      form.reset(valuesOf(data));
      notifyDone(workflows.saved(data.name));
    },
  });
  const form = useWorkflowForm({
    initial: stored,
    send: async (values) => {
      const { enabled: _enabled, ...body } = definitionOf(values);
      await update.mutateAsync({ path: { id }, body, ifVersion: version });
    },
  });
  const isOther = contentOf(stored) !== contentOf(base);
  const load = (): void => {
    setBase(stored);
    form.reset(stored);
  };
  if (isOther && !form.isChanged) load();
  return (
    <>
      <PageHeader
        title={name}
        aside={<WorkflowSwitch workflow={workflow} label={workflows.enabled} />}
        actions={
          <>
            <Button component={Link} to="/workflows" variant="subtle">
              {workflows.back}
            </Button>
            <DeleteButton
              operation="deleteWorkflow"
              id={id}
              changes={['listWorkflows']}
              question={workflows.deleteTitle(name)}
              text={workflows.deleteText}
              done={workflows.deleted(name)}
              notDone={workflows.deleteFailed(name)}
              onDeleted={() => void navigate({ to: '/workflows' })}
            />
          </>
        }
      />
      <div className={styles.body}>
        <WorkflowWords definition={definitionOf(form.values)} isUnsaved={form.isChanged} />
        <Tabs
          value={tab}
          keepMounted={false}
          onChange={(next) =>
            void navigate({
              search: ({ env }) => ({ env, ...(next !== 'edit' && { tab: next as 'test' | 'runs' | 'json' }) }),
            })
          }
        >
          <Tabs.List aria-label={workflows.tabsLabel} mb="md">
            <Tabs.Tab value="edit">{workflows.tabs.edit}</Tabs.Tab>
            {can('testWorkflow') && <Tabs.Tab value="test">{workflows.tabs.test}</Tabs.Tab>}
            <Tabs.Tab value="runs">{workflows.tabs.runs}</Tabs.Tab>
            <Tabs.Tab value="json">{workflows.tabs.json}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="edit">
            <WorkflowForm
              form={form}
              canWrite={can('updateWorkflow')}
              save={workflows.save}
              conflict={isOther ? load : undefined}
            />
          </Tabs.Panel>
          <Tabs.Panel value="test">
            <TestTab workflow={workflow} isChanged={form.isChanged} />
          </Tabs.Panel>
          <Tabs.Panel value="runs">
            <RunsTab workflow={workflow} />
          </Tabs.Panel>
          <Tabs.Panel value="json">
            <JsonTab form={form} canWrite={can('updateWorkflow')} />
          </Tabs.Panel>
        </Tabs>
      </div>
    </>
  );
}
