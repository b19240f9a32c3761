/** Creates the records that simulations read, for the tenant of a test. */
import { publicId } from '@ams/contracts';
import { insertIntegration, insertSuppressionWindow, type IntegrationSeed } from '@ams/testing';
import type { Tenant, TestWorld } from './support.js';

const emptyMapping = {
  fieldMappings: [],
  itemsPath: null,
  parseJson: [],
  severityMap: null,
  statusMap: null,
  defaultSeverity: null,
  staticLabels: {},
  handshakeWhen: [],
  ignoreWhen: [],
};

export interface WindowValues {
  matchers?: object[];
  around?: string;
  name?: string;
}

export const simulationRecords = (worldOf: () => TestWorld, tenantOf: () => Tenant) => ({
  /** The public id of the tenant's integration. */
  async newIntegration({ settings = {}, ...values }: Partial<IntegrationSeed> = {}): Promise<string> {
    const tenant = tenantOf();
    const id = await insertIntegration(worldOf().admin, tenant, {
      id: tenant.integrationId,
      name: 'Probe',
      type: 'generic',
      settings: { ...emptyMapping, ...settings },
      ...values,
    });
    return publicId('integration', id);
  },

  /** Creates a window from an hour before to an hour after a time. Returns its public id. */
  async newWindow({ matchers = [], around, name = 'Maintenance' }: WindowValues = {}): Promise<string> {
    const middle = around === undefined ? Date.now() : Date.parse(around);
    const id = await insertSuppressionWindow(worldOf().admin, tenantOf(), {
      name,
      matchers,
      matchAll: matchers.length === 0,
      startsAt: new Date(middle - 3_600_000),
      endsAt: new Date(middle + 3_600_000),
    });
    return publicId('suppressionWindow', id);
  },

  /** The open alert of a fingerprint, as the integration of the tenant has opened it. */
  newOpenAlert(values: Parameters<TestWorld['newAlert']>[1] = {}): Promise<string> {
    const tenant = tenantOf();
    return worldOf().newAlert(tenant, { dedupScope: `integration:${tenant.integrationId}`, ...values });
  },

  /** The numbers of rows in the tables that a simulation could write. */
  async rowCounts(): Promise<unknown> {
    const tables = ['alerts.alerts', 'alerts.events', 'workflows.considered', 'workflows.runs'];
    const counts = [...tables, 'workflows.notifications', 'workflows.outbox'].map(
      (table) => `(SELECT count(*) FROM ${table}) AS "${table}"`,
    );
    return (await worldOf().admin.query(`SELECT ${counts.join(', ')}`)).rows[0];
  },
});
