/** The check of workflows that users send, and the form in which they are stored. */
import { faultsOf, type SettingsFault } from '../validation/check.js';
import { checkOf, filled } from '../validation/schema-check.js';
import { definitionSchema, type WorkflowDefinition } from './workflow-schema.js';

const checkDefinition = checkOf(definitionSchema);

/**
 * Every fault of a definition `{trigger, conditions, steps}` that a user sent, each with its path
 * (`steps[2].params.targets[0].address`); none when it can be stored. What may be left out may be null too. Whether the
 * users and schedules exist is for whoever has the records (`referencesOf`).
 */
export const validateWorkflow = (input: unknown): SettingsFault[] => faultsOf(checkDefinition, input);

/**
 * The definition as it is stored: every field there. For input that `validateWorkflow` found no fault in; with other it
 * may throw a TypeError.
 */
export const normalizedWorkflow = (input: unknown): WorkflowDefinition =>
  filled(definitionSchema, input) as WorkflowDefinition;
