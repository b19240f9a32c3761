/** Validates workflows from users, and converts them to the stored form. */
import { faultsOf, type SettingsFault } from '../validation/check.js';
import { checkOf, filled } from '../validation/schema-check.js';
import { definitionSchema, type WorkflowDefinition } from './workflow-schema.js';

const checkDefinition = checkOf(definitionSchema);

/**
 * Every error of a definition `{trigger, conditions, steps}` from a user, each with its path
 * (`steps[2].params.targets[0].address`); an empty list when it is valid. Optional fields may also be null. The caller
 * checks whether the users and schedules exist (`referencesOf`).
 */
export const validateWorkflow = (input: unknown): SettingsFault[] => faultsOf(checkDefinition, input);

/**
 * The stored form of the definition, with every field. Requires a valid definition (`validateWorkflow`); may throw a
 * TypeError otherwise.
 */
export const normalizedWorkflow = (input: unknown): WorkflowDefinition =>
  filled(definitionSchema, input) as WorkflowDefinition;
