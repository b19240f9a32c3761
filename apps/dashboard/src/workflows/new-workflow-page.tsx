import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { notifyDone } from '../ui/notify.js';
import { PageHeader } from '../ui/page-header.js';
import { definitionOf, newWorkflow } from './definition.js';
import { useWorkflowForm } from './use-workflow-form.js';
import { WorkflowForm } from './workflow-form.js';
import { WorkflowWords } from './workflow-words.js';
import styles from './workflows.module.css';

const workflows = texts.workflows;

export function NewWorkflowPage() {
  const navigate = useNavigate();
  const can = useCan();
  const create = useAct('createWorkflow', {
    changes: ['listWorkflows'],
    onSuccess: ({ data: { id, name } }) => {
      notifyDone(workflows.created(name));
      void navigate({ to: '/workflows/$id', params: { id } });
    },
  });
  const form = useWorkflowForm({
    initial: newWorkflow,
    send: async (values) => void (await create.mutateAsync({ body: definitionOf(values) })),
  });
  return (
    <>
      <PageHeader
        title={texts.newRecords.createWorkflow}
        actions={
          <Button component={Link} to="/workflows" variant="subtle">
            {workflows.back}
          </Button>
        }
      />
      <div className={styles.body}>
        <WorkflowWords definition={definitionOf(form.values)} />
        <WorkflowForm form={form} canWrite={can('createWorkflow')} save={texts.ui.create} isNew />
      </div>
    </>
  );
}
