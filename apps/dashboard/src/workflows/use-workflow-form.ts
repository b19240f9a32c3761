import schema from 'schema:PutWorkflow';
import { useForm, type Form } from '../ui/use-form.js';
import { definitionOf, type WorkflowValues } from './definition.js';

export type WorkflowFormState = Form<WorkflowValues>;

/** All fields are sent, so that the schema of a change checks a new workflow as well. */
export const useWorkflowForm = (options: {
  initial: WorkflowValues;
  send: (values: WorkflowValues) => Promise<unknown>;
}): WorkflowFormState => useForm<WorkflowValues>({ schema, toBody: definitionOf, ...options });
