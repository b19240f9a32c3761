/** The queue in which work waits that is added again: that of its workflow, whatever it pages for. */
import { shareOf, type Share } from '@ams/domain';
import type { Environment } from '@ams/scopes';

/** A row of a table of the engine, read by `ofWorkflowColumns`. */
export interface OfWorkflow {
  id: string;
  organizationId: string;
  environment: Environment;
  /** Null: the catch-all policy pages. */
  workflowId: string | null;
}

export const ofWorkflowColumns = (table: string): string =>
  `${table}.id, ${table}.organization_id AS "organizationId", ${table}.environment, ${table}.workflow_id AS "workflowId"`;

export const withShare = (row: OfWorkflow): { id: string; share: Share } => ({ id: row.id, share: shareOf(row, row) });
