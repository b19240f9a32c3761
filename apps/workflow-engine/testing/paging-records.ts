/** Creates the policies, teams and settings by which alerts page, for the tenant of a test. Ids are public ids. */
import { newUuid, publicId, uuidOf } from '@ams/contracts';
import { defaultOrganizationSettings, normalizedPolicy } from '@ams/domain';
import { insertRows } from '@ams/testing';
import type { Tenant, TestWorld } from './support.js';

export const pagingRecords = (worldOf: () => TestWorld, tenantOf: () => Tenant) => {
  const tenantColumns = () => {
    const { organizationId, environment } = tenantOf();
    return { organizationId, environment };
  };
  return {
    /** A policy whose levels tell these members (UUIDs), one after another. */
    async newPolicy(name: string, ...memberIds: string[]): Promise<string> {
      const id = newUuid();
      const { levels, repeat } = normalizedPolicy({
        levels: memberIds.map((memberId) => ({ targets: [{ type: 'user', id: publicId('member', memberId) }] })),
      });
      await insertRows(worldOf().admin, 'resources.escalation_policies', [
        { id, ...tenantColumns(), name, levels, repeat },
      ]);
      return publicId('escalationPolicy', id);
    },

    async newTeam(slug: string, policyId: string | null): Promise<string> {
      const id = newUuid();
      await insertRows(worldOf().admin, 'resources.teams', [
        { id, ...tenantColumns(), name: slug, slug, policyId: policyId && uuidOf('escalationPolicy', policyId) },
      ]);
      return publicId('team', id);
    },

    async setCatchAll(policyId: string): Promise<void> {
      await insertRows(
        worldOf().admin,
        'resources.organization_settings',
        [
          {
            ...tenantColumns(),
            ...defaultOrganizationSettings,
            catchAllPolicyId: uuidOf('escalationPolicy', policyId),
          },
        ],
        'ON CONFLICT (organization_id, environment) DO UPDATE SET catch_all_policy_id = excluded.catch_all_policy_id',
      );
    },
  };
};
