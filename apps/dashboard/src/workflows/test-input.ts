/** What a workflow is tested with, from the form to the request. */
import type { WorkflowEvent } from '../conditions/fields.js';
import { texts } from '../texts/texts.js';

export type Subject = 'alert' | 'incident' | 'payload';

export interface TestInput {
  subject: Subject;
  alertId: string | null;
  incidentId: string | null;
  payload: string;
  integrationId: string | null;
  event: WorkflowEvent | null;
}

export type TestBody = { kind: 'body'; body: Record<string, unknown> } | { kind: 'fault'; message: string };

export const payloadExample = JSON.stringify(
  {
    title: 'CPU is above 95 %',
    severity: 'critical',
    fingerprint: 'cpu-web-01',
    labels: { env: 'production', service: 'checkout', team: 'payments' },
  },
  null,
  2,
);

export function testBody({ subject, alertId, incidentId, payload, integrationId, event }: TestInput): TestBody {
  const named = event === null ? {} : { event };
  if (subject === 'payload') {
    try {
      const parsed: unknown = JSON.parse(payload);
      return { kind: 'body', body: { payload: parsed, ...named, ...(integrationId !== null && { integrationId }) } };
    } catch (error) {
      return { kind: 'fault', message: texts.workflows.test.notJson((error as Error).message) };
    }
  }
  const id = subject === 'alert' ? alertId : incidentId;
  if (id === null) return { kind: 'fault', message: texts.workflows.test.choose };
  return { kind: 'body', body: { [subject === 'alert' ? 'alertId' : 'incidentId']: id, ...named } };
}
