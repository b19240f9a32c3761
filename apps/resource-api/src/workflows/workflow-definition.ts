/**
 * The trigger, conditions and steps that a caller sends. The domain checks them; this file looks up the schedules and
 * members that the steps name.
 */
import { publicId, worded, type FieldFault, type PutWorkflow, type Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import {
  normalizedWorkflow,
  referencesOf,
  validateWorkflow,
  type WorkflowDefinition,
  type WorkflowStep,
} from '@ams/domain';
import { throwFaults } from '../records/throw-faults.js';
import { unknownReferences } from '../records/unknown-references.js';
import type { Secrets } from '../secrets/secrets.js';
import type { WorkflowSettings } from './workflow-record.js';
import { maskedSteps, sealedSteps } from './workflow-secrets.js';

type Definition = Pick<WorkflowSettings, 'events' | 'conditions' | 'steps'>;

/** A definition that was stored under earlier rules must follow the current rules only when it changes. */
export const changesDefinition = ({ trigger, conditions, steps }: PutWorkflow): boolean =>
  trigger !== undefined || conditions !== undefined || steps !== undefined;

/**
 * A workflow that was stored under earlier rules may be one that can never run. It is not enabled again before it is
 * corrected. Throws VALIDATION_ERROR.
 */
export const refuseToEnable = ({ events, conditions, steps }: Definition): void =>
  throwFaults(worded(validateWorkflow({ trigger: { events }, conditions, steps: maskedSteps(steps) })));

export const mergedDefinition = ({ events, conditions, steps }: Definition, sent: PutWorkflow): WorkflowDefinition => ({
  trigger: sent.trigger ?? { events },
  conditions: sent.conditions === undefined ? conditions : sent.conditions,
  steps: sent.steps ?? maskedSteps(steps),
});

/**
 * The definition as it is stored: its secrets are sealed for the workflow (a UUID). It may be sent with marks for secrets
 * of the `stored` steps. The schedules that it names stay until the end of the transaction. Throws VALIDATION_ERROR.
 */
export async function checkedDefinition(
  tx: Tx,
  tenant: Tenant,
  sent: object,
  { id, steps: stored = [], secrets }: { id: string; steps?: readonly WorkflowStep[]; secrets: Secrets },
): Promise<Definition> {
  throwFaults(worded(validateWorkflow(sent)));
  const { trigger, conditions, steps: shown } = normalizedWorkflow(sent);
  const record = publicId('workflow', id);
  const { parts: steps, faults } = await sealedSteps(shown, stored, secrets.of(tx, tenant), record);
  throwFaults([
    ...faults,
    ...sizeFaults({ conditions, steps }),
    ...(await unknownReferences(tx, tenant, referencesOf(steps), referencesOf(stored))),
  ]);
  return { events: trigger.events, conditions, steps };
}

/** The audit log of a change has the definition twice, in one message of NATS. */
const maxDefinitionBytes = 256 * 1024;

function sizeFaults(definition: Omit<Definition, 'events'>): FieldFault[] {
  if (Buffer.byteLength(JSON.stringify(definition)) <= maxDefinitionBytes) return [];
  const message = `the conditions and steps of a workflow must have at most ${maxDefinitionBytes} bytes`;
  return [{ path: 'steps', rule: 'maxBytes', message }];
}
