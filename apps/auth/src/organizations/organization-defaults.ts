/**
 * The first schedule, escalation policy and workflow of an organization. resource-api makes them as soon as it sees the
 * organization. The first key is created after them, so no alert of the organization comes before somebody is paged for
 * it. When something ends in between, the organization has no key, and a later command creates it.
 */
import { publicId, Fault } from '@ams/contracts';
import type { Database } from '@ams/database';
import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 100;
const longestMs = 30_000;

/** Without an active owner nobody can be on call, and the records are not made. */
const isWhole = `
  SELECT EXISTS (SELECT 1 FROM resources_views.defaults_made d WHERE d.organization_id = $1 AND d.policies)
    OR NOT EXISTS (
      SELECT 1 FROM auth.members m WHERE m.organization_id = $1 AND m.role = 'owner' AND m.status = 'active'
    ) AS whole`;

/** Waits until the organization (a UUID) has its first records. Throws UNAVAILABLE. */
export async function waitForDefaults(
  database: Database,
  organizationId: string,
  { withinMs = longestMs }: { withinMs?: number } = {},
): Promise<void> {
  for (const until = Date.now() + withinMs; ; await pause(everyMs)) {
    const [answer] = await database.query<{ whole: boolean }>(isWhole, [organizationId]);
    if (answer?.whole) return;
    if (Date.now() >= until) throw notWhole(organizationId);
  }
}

const notWhole = (organizationId: string): Fault =>
  new Fault(
    'UNAVAILABLE',
    { requestId: publicId('organization', organizationId) },
    'The organization exists, but resource-api has not made its schedule, escalation policy and workflow yet, so it ' +
      'gets no key. When resource-api runs, create the key: keys create --organization SLUG --role owner --name NAME.',
  );
