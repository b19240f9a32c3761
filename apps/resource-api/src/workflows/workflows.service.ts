/**
 * Workflows: a trigger, conditions, steps. The domain checks a definition, and here are looked up the schedules and
 * members that it names; what of it is secret is stored and not shown (workflow-secrets.ts).
 */
import {
  newUuid,
  publicId,
  uuidOf,
  type FieldFault,
  type Input,
  type ListWorkflowsQuery,
  type Page,
  type PostWorkflow,
  type Principal,
  type PutWorkflow,
  type Tenant,
  type Workflow,
} from '@ams/contracts';
import { Database, containing, withIdempotency, page, type Tx } from '@ams/database';
import {
  normalizedWorkflow,
  validateWorkflow,
  type Condition,
  type WorkflowDefinition,
  type WorkflowEvent,
  type WorkflowStep,
} from '@ams/domain';
import { Injectable } from '@nestjs/common';
import {
  count,
  find,
  lock,
  newsBetween,
  owned,
  patched,
  sortBy,
  recordAudit,
  throwFaults,
  type Table,
} from '../records/tenant-records.js';
import { maskedSteps, secretsIn, unmaskedSteps } from './workflow-secrets.js';

type None = Record<string, never>;

/** As it is stored: ids inside `steps` are public ones, and secrets are there. */
interface WorkflowRow {
  id: string;
  name: string;
  description: string | null;
  enabled: boolean;
  events: WorkflowEvent[];
  conditions: Condition | null;
  steps: WorkflowStep[];
  created_at: Date;
  updated_at: Date;
  version: number;
  last_run_at: Date | null;
}

/** What a caller decides of a row. */
type WorkflowSettings = Omit<WorkflowRow, 'id' | 'created_at' | 'updated_at' | 'version' | 'last_run_at'>;

const lastRunAt =
  '(SELECT r.created_at FROM workflows_views.runs r WHERE r.workflow_id = workflows.id ORDER BY r.id DESC LIMIT 1)';

const table: Table = {
  name: 'resources.workflows',
  noun: 'workflow',
  resource: 'workflow',
  columns: `id, name, description, enabled, events, conditions, steps, created_at, updated_at, version, ${lastRunAt} AS last_run_at`,
};

const sorts = { name: { column: 'name', type: 'text' }, createdAt: { column: 'created_at', type: 'time' } } as const;

@Injectable()
export class WorkflowsService {
  constructor(private readonly database: Database) {}

  list(input: Input<ListWorkflowsQuery, undefined>): Promise<Page<Workflow>> {
    const { limit, cursor, ...filters } = input.query;
    const where = owned(table, input.principal);
    if (filters.enabled) where.and('enabled = ?', filters.enabled === 'true');
    if (filters.event) where.and('events && ?::text[]', filters.event);
    if (filters.q) where.and('name ILIKE ?', containing(filters.q));
    return this.database.readAs(input.principal, (tx) =>
      page<WorkflowRow, Workflow>(tx, {
        select: table.columns,
        from: table.name,
        where,
        sort: sortBy(filters.sort ?? 'name', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['workflows', filters],
        total: () => count(tx, table.name, where),
        item: workflowFromRow,
      }),
    );
  }

  get(input: Input<None, undefined>): Promise<Workflow> {
    return this.database.readAs(input.principal, async (tx) =>
      workflowFromRow(await find<WorkflowRow>(tx, table, input)),
    );
  }

  create(input: Input<None, PostWorkflow>): Promise<Workflow> {
    const { body, principal } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        const definition = await checked(tx, principal, {
          trigger: body.trigger,
          conditions: body.conditions,
          steps: body.steps,
        });
        const at = new Date();
        const row = await insertWorkflow(
          tx,
          principal,
          { name: body.name, description: body.description ?? null, enabled: body.enabled ?? true, ...definition },
          at,
        );
        await tellOf(tx, input, 'workflow.created', null, row, at);
        return workflowFromRow(row);
      }),
    );
  }

  update(input: Input<None, PutWorkflow>): Promise<Workflow> {
    const { body, principal } = input;
    return this.database.writeAs(principal, async (tx) => {
      const row = await lock<WorkflowRow>(tx, table, input);
      const definition = isDefined(body) ? await checked(tx, principal, merged(row, body), row.steps) : row;
      const next: WorkflowRow = {
        ...row,
        name: patched(row.name, body.name),
        description: patched(row.description, body.description),
        enabled: patched(row.enabled, body.enabled),
        events: patched(row.events, definition.events),
        conditions: patched(row.conditions, definition.conditions),
        steps: patched(row.steps, definition.steps),
      };
      return workflowFromRow(await save(tx, input, 'workflow.updated', row, next));
    });
  }

  async delete(input: Input<None, undefined>): Promise<void> {
    await this.database.writeAs(input.principal, async (tx) => {
      const row = await lock<WorkflowRow>(tx, table, input);
      await tx.query('DELETE FROM resources.workflows WHERE id = $1', [row.id]);
      await tellOf(tx, input, 'workflow.deleted', row, null, new Date());
    });
  }

  enable(input: Input<None, undefined>): Promise<Workflow> {
    return this.setEnabled(input, true, 'workflow.enabled');
  }

  disable(input: Input<None, undefined>): Promise<Workflow> {
    return this.setEnabled(input, false, 'workflow.disabled');
  }

  private setEnabled(input: Input<None, undefined>, enabled: boolean, type: string): Promise<Workflow> {
    const { principal } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        const row = await lock<WorkflowRow>(tx, table, input);
        return workflowFromRow(await save(tx, input, type, row, { ...row, enabled }));
      }),
    );
  }
}

export const workflowFromRow = (row: WorkflowRow): Workflow => ({
  id: publicId('workflow', row.id),
  name: row.name,
  description: row.description,
  enabled: row.enabled,
  trigger: { events: row.events },
  conditions: row.conditions,
  steps: maskedSteps(row.steps),
  lastRunAt: row.last_run_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  version: row.version,
});

// --- What is sent -----------------------------------------------------------------------------------------------------

type Definition = Pick<WorkflowRow, 'events' | 'conditions' | 'steps'>;

/** Whether a change is one of the definition; what was stored under the rules of its time need not keep those of today. */
const isDefined = ({ trigger, conditions, steps }: PutWorkflow): boolean =>
  trigger !== undefined || conditions !== undefined || steps !== undefined;

const merged = (row: WorkflowRow, { trigger, conditions, steps }: PutWorkflow): WorkflowDefinition => ({
  trigger: trigger ?? { events: row.events },
  conditions: conditions === undefined ? row.conditions : conditions,
  steps: steps ?? row.steps,
});

/**
 * The definition as it will be stored; it may be sent with marks for secrets of the `stored` steps. The schedules that it
 * names stay until the end of the transaction. Throws VALIDATION_ERROR.
 */
async function checked(
  tx: Tx,
  principal: Principal,
  sent: object,
  stored: readonly WorkflowStep[] = [],
): Promise<Definition> {
  throwFaults(validateWorkflow(sent));
  const { trigger, conditions, steps: shown } = normalizedWorkflow(sent);
  const { steps, faults } = unmaskedSteps(shown, stored);
  throwFaults([...faults, ...sizeFaults({ conditions, steps }), ...(await unknownNames(tx, principal, steps, stored))]);
  return { events: trigger.events, conditions, steps };
}

/** The log of a change holds a definition twice, and travels in one message of the broker. */
const maxDefinitionBytes = 256 * 1024;

const sizeFaults = (definition: object): FieldFault[] =>
  Buffer.byteLength(JSON.stringify(definition)) > maxDefinitionBytes
    ? [
        {
          path: 'steps',
          rule: 'maxBytes',
          message: `the conditions and steps of a workflow must have at most ${maxDefinitionBytes} bytes`,
        },
      ]
    : [];

// --- What steps name --------------------------------------------------------------------------------------------------

interface Named {
  noun: 'member' | 'schedule';
  /** As it was sent. */
  id: string;
  /** Where, such as `steps[1].params.targets[0].id`. */
  path: string;
}

const namedIn = (steps: readonly WorkflowStep[]): Named[] =>
  steps.flatMap((step, index) => namedInStep(step, `steps[${index}].params`));

function namedInStep({ type, params }: WorkflowStep, path: string): Named[] {
  if (type === 'notify') {
    return params.targets.flatMap((target, index): Named[] => {
      if (target.type !== 'user' && target.type !== 'schedule') return [];
      return [
        { noun: target.type === 'user' ? 'member' : 'schedule', id: target.id, path: `${path}.targets[${index}].id` },
      ];
    });
  }
  if (type !== 'assign') return [];
  return 'userId' in params
    ? [{ noun: 'member', id: params.userId, path: `${path}.userId` }]
    : [{ noun: 'schedule', id: params.scheduleId, path: `${path}.scheduleId` }];
}

/** Each once. */
const uuidsIn = (noun: Named['noun'], names: Named[]): string[] => [
  ...new Set(names.filter((name) => name.noun === noun).flatMap(({ id }) => uuidOf(noun, id) ?? [])),
];

/**
 * A fault for each name of nobody and nothing. A member who is disabled is one only when newly named. Schedules are locked
 * in the order of their ids, and before references are written: whoever deletes one locks it first, too.
 */
async function unknownNames(
  tx: Tx,
  { organizationId, environment }: Tenant,
  steps: readonly WorkflowStep[],
  stored: readonly WorkflowStep[],
): Promise<FieldFault[]> {
  const names = namedIn(steps);
  const schedules = await tx.query<{ id: string }>(
    'SELECT id FROM resources.schedules WHERE organization_id = $1 AND environment = $2 AND id = ANY($3::uuid[]) ORDER BY id FOR KEY SHARE',
    [organizationId, environment, uuidsIn('schedule', names)],
  );
  const members = await tx.query<{ id: string }>('SELECT id FROM auth.hold_members($1, $2::uuid[], $3::uuid[]) AS id', [
    organizationId,
    uuidsIn('member', names),
    uuidsIn('member', namedIn(stored)),
  ]);
  const known = new Set([
    ...schedules.map(({ id }) => publicId('schedule', id)),
    ...members.map(({ id }) => publicId('member', id)),
  ]);
  return names
    .filter(({ id }) => !known.has(id))
    .map(({ noun, id, path }) => ({
      path,
      rule: 'exists',
      message: `there is no ${noun} with the id ${id} that could be named here`,
    }));
}

// --- Writing ----------------------------------------------------------------------------------------------------------

/** Stores a workflow whose definition has been checked. */
export async function insertWorkflow(
  tx: Tx,
  { organizationId, environment }: Tenant,
  settings: WorkflowSettings,
  at: Date,
): Promise<WorkflowRow> {
  const { name, description, enabled, events, conditions, steps } = settings;
  const [row] = await tx.query<WorkflowRow>(
    `INSERT INTO resources.workflows (id, organization_id, environment, name, description, enabled, events, conditions, steps, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) RETURNING ${table.columns}`,
    [
      newUuid(at.getTime()),
      organizationId,
      environment,
      name,
      description,
      enabled,
      events,
      jsonOf(conditions),
      jsonOf(steps),
      at,
    ],
  );
  if (!row) throw new Error('a row that was inserted is not there');
  await refer(tx, { organizationId, environment }, row);
  return row;
}

/** Stores the row as it shall be, and tells of it; a row in which nothing changes stays as it is. */
async function save(
  tx: Tx,
  input: Input<unknown, unknown>,
  type: string,
  row: WorkflowRow,
  next: WorkflowRow,
): Promise<WorkflowRow> {
  if (newsBetween(audited(row), audited(next)).length === 0) return row;
  const at = new Date();
  const [saved] = await tx.query<WorkflowRow>(
    `UPDATE resources.workflows SET name = $2, description = $3, enabled = $4, events = $5, conditions = $6, steps = $7, updated_at = $8, version = version + 1
     WHERE id = $1 RETURNING ${table.columns}`,
    [row.id, next.name, next.description, next.enabled, next.events, jsonOf(next.conditions), jsonOf(next.steps), at],
  );
  if (!saved) throw new Error('a row that is locked is not there');
  if (next.steps !== row.steps) await refer(tx, input.principal, saved);
  await tellOf(tx, input, type, row, saved, at);
  return saved;
}

/** Keeps what the steps name, so that no schedule in use is deleted. */
async function refer(tx: Tx, { organizationId, environment }: Tenant, { id, steps }: WorkflowRow): Promise<void> {
  const names = namedIn(steps);
  await tx.query('DELETE FROM resources.workflow_references WHERE workflow_id = $1', [id]);
  await tx.query(
    `INSERT INTO resources.workflow_references (organization_id, environment, workflow_id, schedule_id, member_id)
     SELECT $1, $2, $3, schedule_id, member_id
     FROM (SELECT unnest($4::uuid[]) AS schedule_id, NULL::uuid AS member_id UNION ALL SELECT NULL, unnest($5::uuid[])) AS named`,
    [organizationId, environment, id, uuidsIn('schedule', names), uuidsIn('member', names)],
  );
}

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** The record without what nobody changes, and what of it is not shown: a secret that is replaced is a change as well. */
function audited(row: WorkflowRow | null): object | null {
  if (row === null) return null;
  const secrets = secretsIn(row.steps);
  const { lastRunAt: _, ...record } = workflowFromRow(row);
  return { ...record, secrets: secrets.length === 0 ? null : secrets };
}

async function tellOf(
  tx: Tx,
  input: Input<unknown, unknown>,
  type: string,
  before: WorkflowRow | null,
  after: WorkflowRow | null,
  at: Date,
): Promise<void> {
  const id = (after ?? before)?.id ?? '';
  await recordAudit(tx, input, type, {
    resource: 'workflow',
    id: publicId('workflow', id),
    before: audited(before),
    after: audited(after),
    hidden: ['secrets'],
    at,
  });
}
