/** Reads what an escalation needs, from the published views of its owners: policies, teams, settings and members. */
import { publicId, uuidOf, type Tenant } from '@ams/contracts';
import {
  choosePolicy,
  defaultOrganizationSettings,
  type FlapSettings,
  type IncidentContext,
  type OrganizationSettings,
  type PolicyChoice,
  type PolicyFound,
  type PolicyRequest,
  type PolicySettings,
  type Severity,
} from '@ams/domain';
import { memberContactColumns, type MemberContact, type Queries } from '../schedules/on-call.js';
import { policyReads, type PolicyReads } from '../paging/level-recipients.js';
import { readOnce } from '../read-once.js';

/** Ids are public ids. */
export interface PagingPolicy extends PolicySettings {
  id: string;
  name: string;
}

export interface PagingReads extends PolicyReads {
  settings(tenant: Tenant): Promise<OrganizationSettings>;
  /** Null when the tenant has no such policy. */
  policy(tenant: Tenant, id: string): Promise<PagingPolicy | null>;
  /** The policy of the team with this slug. */
  policyOfTeam(tenant: Tenant, slug: string): Promise<PolicyFound>;
  /** The owners of the organization that can be told. */
  owners(tenant: Tenant): Promise<MemberContact[]>;
}

interface PolicyRow {
  id: string;
  name: string;
  levels: PolicySettings['levels'];
  repeat: number;
  ackTimeoutSeconds: number | null;
}

interface SettingsRow {
  catchAllPolicyId: string | null;
  highUrgencySeverities: Severity[];
  flap: FlapSettings;
  defaultWindowSeconds: number;
}

const policyColumns = 'p.id, p.name, p.levels, p.repeat, p.ack_timeout_seconds AS "ackTimeoutSeconds"';

const policyOf = (row: PolicyRow | undefined): PagingPolicy | null =>
  row ? { ...row, id: publicId('escalationPolicy', row.id) } : null;

/** For one transaction: nothing is read twice. */
export const pagingReads = (queries: Queries): PagingReads =>
  readOnce({
    ...policyReads(queries),
    settings: async (tenant: Tenant) => (await settingsOfTenants(queries, [tenant]))(tenant),
    policy: (tenant: Tenant, id: string) => policyById(queries, tenant, id),
    policyOfTeam: (tenant: Tenant, slug: string) => policyOfTeam(queries, tenant, slug),
    owners: (tenant: Tenant) => owners(queries, tenant),
  });

/** What the decisions about an incident need. `policyId` is a public id. */
export async function incidentContext(
  reads: Pick<PagingReads, 'settings' | 'policy'>,
  tenant: Tenant,
  policyId: string | null,
): Promise<IncidentContext> {
  const settings = await reads.settings(tenant);
  const policy = policyId === null ? null : await reads.policy(tenant, policyId);
  return { settings, ackTimeoutSeconds: policy?.ackTimeoutSeconds ?? null };
}

/** The settings of each of these tenants, by one statement. */
export async function settingsOfTenants(
  queries: Queries,
  tenants: readonly Tenant[],
): Promise<(tenant: Tenant) => OrganizationSettings> {
  const keyOf = ({ organizationId, environment }: Tenant): string => `${organizationId} ${environment}`;
  const distinct = [...new Map(tenants.map((tenant) => [keyOf(tenant), tenant])).values()];
  if (distinct.length === 0) return () => defaultOrganizationSettings;
  const rows = await queries.query<Tenant & SettingsRow>(
    `SELECT s.organization_id AS "organizationId", s.environment, s.catch_all_policy_id AS "catchAllPolicyId",
       s.high_urgency_severities AS "highUrgencySeverities", s.flap, s.default_window_seconds AS "defaultWindowSeconds"
     FROM unnest($1::uuid[], $2::text[]) AS k(o, e)
     JOIN resources_views.organization_settings s ON s.organization_id = k.o AND s.environment = k.e`,
    [distinct.map(({ organizationId }) => organizationId), distinct.map(({ environment }) => environment)],
  );
  const found = new Map(
    rows.map(({ organizationId, environment, ...settings }) => [
      keyOf({ organizationId, environment }),
      { ...settings, catchAllPolicyId: publicId('escalationPolicy', settings.catchAllPolicyId) },
    ]),
  );
  return (tenant) => found.get(keyOf(tenant)) ?? defaultOrganizationSettings;
}

async function policyById(
  queries: Queries,
  { organizationId, environment }: Tenant,
  id: string,
): Promise<PagingPolicy | null> {
  const [row] = await queries.query<PolicyRow>(
    `SELECT ${policyColumns} FROM resources_views.escalation_policies p
     WHERE p.organization_id = $1 AND p.environment = $2 AND p.id = $3`,
    [organizationId, environment, uuidOf('escalationPolicy', id)],
  );
  return policyOf(row);
}

async function policyOfTeam(
  queries: Queries,
  { organizationId, environment }: Tenant,
  slug: string,
): Promise<PolicyFound> {
  const [team] = await queries.query<{ policyId: string | null }>(
    `SELECT p.id AS "policyId" FROM resources_views.teams t
     LEFT JOIN resources_views.escalation_policies p ON p.id = t.policy_id AND p.organization_id = t.organization_id
       AND p.environment = t.environment
     WHERE t.organization_id = $1 AND t.environment = $2 AND t.slug = $3`,
    [organizationId, environment, slug],
  );
  if (!team) return { kind: 'missing' };
  return team.policyId === null
    ? { kind: 'teamWithoutPolicy' }
    : { kind: 'policy', policyId: publicId('escalationPolicy', team.policyId) };
}

/** The policy by which a page pages. */
export async function chosenPolicy(
  reads: Pick<PagingReads, 'settings' | 'policy' | 'policyOfTeam'>,
  tenant: Tenant,
  request: PolicyRequest,
): Promise<PolicyChoice> {
  return choosePolicy(request, await foundPolicy(reads, tenant, request), await reads.settings(tenant));
}

async function foundPolicy(
  reads: Pick<PagingReads, 'policy' | 'policyOfTeam'>,
  tenant: Tenant,
  request: PolicyRequest,
): Promise<PolicyFound> {
  if ('policyId' in request) {
    const policy = await reads.policy(tenant, request.policyId);
    return policy ? { kind: 'policy', policyId: policy.id } : { kind: 'missing' };
  }
  return 'team' in request && request.team !== null ? reads.policyOfTeam(tenant, request.team) : { kind: 'missing' };
}

const owners = (queries: Queries, { organizationId }: Tenant): Promise<MemberContact[]> =>
  queries.query<MemberContact>(
    `SELECT ${memberContactColumns('m')} FROM auth_views.members m
     WHERE m.organization_id = $1 AND m.role = 'owner' AND m.status <> 'disabled' ORDER BY m.id`,
    [organizationId],
  );
