/** The settings of an organization, in each of its environments. One without a row has the defaults. */
import {
  Fault,
  publicId,
  uuidOf,
  type Input,
  type NoQuery,
  type Organization,
  type PutOrganization,
  type Tenant,
  worded,
} from '@ams/contracts';
import { Database, requireVersion, type Tx } from '@ams/database';
import {
  changedOrganizationSettings,
  defaultOrganizationSettings,
  validateOrganizationSettings,
  type OrganizationSettings,
} from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../records/record-audit.js';
import { throwFaults } from '../records/throw-faults.js';
import { referenceIn, unknownReferences } from '../records/unknown-references.js';
import { OrganizationSettingsEntity } from './organization-settings.entity.js';

/** Settings with public ids, and their version. */
interface VersionedSettings {
  settings: OrganizationSettings;
  updatedAt: Date | null;
  version: number;
}

@Injectable()
export class OrganizationService {
  constructor(private readonly database: Database) {}

  get({ principal }: Input<NoQuery, undefined>): Promise<Organization> {
    return this.database.readAs(principal, async (tx) => answerOf(tx, principal, await settingsOf(tx, principal)));
  }

  update(input: Input<NoQuery, PutOrganization>): Promise<Organization> {
    const { principal, body } = input;
    return this.database.writeAs(principal, async (tx) => {
      await lockSettings(tx, principal);
      const present = await settingsOf(tx, principal);
      requireVersion(input.ifMatch, present.version);
      const settings = changedOrganizationSettings(present.settings, body);
      throwFaults([
        ...worded(validateOrganizationSettings(settings)),
        ...(await unknownReferences(
          tx,
          principal,
          referenceIn('escalationPolicy', 'catchAllPolicyId', body.catchAllPolicyId),
        )),
      ]);
      const before = await answerOf(tx, principal, present);
      if (isDeepStrictEqual(settings, present.settings)) return before;
      const at = new Date();
      const changed = { settings, updatedAt: at, version: present.version + 1 };
      await storeSettings(tx, principal, changed);
      const after = await answerOf(tx, principal, changed);
      await recordAudit(tx, input, 'organization.updated', {
        resource: 'organization',
        id: after.id,
        before,
        after,
        at,
      });
      return after;
    });
  }
}

/** There may be no row to lock yet. */
const lockSettings = (tx: Tx, { organizationId, environment }: Tenant): Promise<unknown> =>
  tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `organization settings ${organizationId} ${environment}`,
  ]);

export async function settingsOf(tx: Tx, { organizationId, environment }: Tenant): Promise<VersionedSettings> {
  const row = await tx.repository(OrganizationSettingsEntity).findOneBy({ organizationId, environment });
  if (!row) return { settings: defaultOrganizationSettings, updatedAt: null, version: 1 };
  const { catchAllPolicyId, highUrgencySeverities, flap, defaultWindowSeconds, updatedAt, version } = row;
  const settings = {
    catchAllPolicyId: publicId('escalationPolicy', catchAllPolicyId),
    highUrgencySeverities,
    flap,
    defaultWindowSeconds,
  };
  return { settings, updatedAt, version };
}

async function storeSettings(
  tx: Tx,
  { organizationId, environment }: Tenant,
  { settings, updatedAt, version }: VersionedSettings,
): Promise<void> {
  const { catchAllPolicyId, highUrgencySeverities, flap, defaultWindowSeconds } = settings;
  await tx.query(
    `INSERT INTO resources.organization_settings (organization_id, environment, catch_all_policy_id,
       high_urgency_severities, flap, default_window_seconds, updated_at, version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (organization_id, environment) DO UPDATE SET catch_all_policy_id = excluded.catch_all_policy_id,
       high_urgency_severities = excluded.high_urgency_severities, flap = excluded.flap,
       default_window_seconds = excluded.default_window_seconds, updated_at = excluded.updated_at,
       version = excluded.version`,
    [
      organizationId,
      environment,
      catchAllPolicyId === null ? null : uuidOf('escalationPolicy', catchAllPolicyId),
      highUrgencySeverities,
      JSON.stringify(flap),
      defaultWindowSeconds,
      updatedAt,
      version,
    ],
  );
}

/** Makes the policy (a UUID) the catch-all policy, unless the tenant has one. Whether it did. */
export async function setCatchAll(tx: Tx, tenant: Tenant, policyId: string, at: Date): Promise<boolean> {
  await lockSettings(tx, tenant);
  const { settings, updatedAt, version } = await settingsOf(tx, tenant);
  if (settings.catchAllPolicyId !== null) return false;
  const changed = { ...settings, catchAllPolicyId: publicId('escalationPolicy', policyId) };
  await storeSettings(tx, tenant, {
    settings: changed,
    updatedAt: at,
    version: updatedAt === null ? version : version + 1,
  });
  return true;
}

async function answerOf(
  tx: Tx,
  { organizationId, environment }: Tenant,
  { settings, updatedAt, version }: VersionedSettings,
): Promise<Organization> {
  const id = publicId('organization', organizationId);
  const [organization] = await tx.query<{ name: string }>('SELECT name FROM auth_views.organizations WHERE id = $1', [
    organizationId,
  ]);
  if (!organization) throw new Fault('NOT_FOUND', { resource: 'organization', id });
  return {
    id,
    name: organization.name,
    environment,
    ...settings,
    updatedAt: updatedAt?.toISOString() ?? null,
    version,
  };
}
