/**
 * Integrations: each is one sender, with its ingest token and its mapping. A change is answered when the ingest
 * gateways can see it: see integration-projection.ts.
 */
import {
  credentialHash,
  newIngestToken,
  newUuid,
  refusedToNarrowed,
  tokenHintOf,
  type Input,
  type Integration,
  type IntegrationWithToken,
  type ListIntegrationsQuery,
  type NoQuery,
  type Page,
  type PostIntegration,
  type Preview,
  type PreviewPayload,
  type Principal,
  type PutIntegration,
  type RotateToken,
} from '@ams/contracts';
import { Database, page, requireVersion, withIdempotency, type Tx } from '@ams/database';
import { changedSettings, settingsForNewIntegration, type IntegrationType, type MappingSettings } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { holdClient } from '../clients/held-client.js';
import { findRecord, lockRecord, patch, patched, settingsOf, changeRecord } from '../records/entity-records.js';
import { requireRoom } from '../records/record-room.js';
import { auditedChanges, recordAudit } from '../records/record-audit.js';
import { refuseAnyUse } from '../records/references.js';
import { count, sortBy } from '../records/tenant-queries.js';
import { throwFaults } from '../records/throw-faults.js';
import { ResourceApiSettings } from '../settings.js';
import { teamFaults, teamUuid } from '../teams/held-team.js';
import { IntegrationProjection, projectionMessage } from './integration-projection.js';
import {
  activityOf,
  integrationsMatching,
  integrationsWithActivity,
  listedColumns,
  recordsUsing,
  type ListedIntegration,
} from './integration-queries.js';
import {
  integrationDefaults,
  integrationRecord,
  integrations,
  mappingSettingsOf,
  noActivity,
  tokensOf,
  withToken,
  type IntegrationActivity,
} from './integration-record.js';
import { IntegrationEntity } from './integration.entity.js';
import { previewOf } from './mapping-preview.js';

const sorts = {
  name: { column: 'i.name', type: 'text' },
  createdAt: { column: 'i.created_at', type: 'time' },
} as const;

/** No change of settings, or a secret. */
const unaudited = ['ingestUrl', 'token', 'lastEventAt', 'rateLimited'];

interface Change {
  type: 'integration.created' | 'integration.updated' | 'integration.token_rotated' | 'integration.deleted';
  before: Integration | null;
  after: Integration | null;
  /** The hashes of the tokens whose entries the ingest gateways must get. */
  tokens: string[];
  at: Date;
}

@Injectable()
export class IntegrationsService {
  constructor(
    private readonly settings: ResourceApiSettings,
    private readonly database: Database,
    private readonly projection: IntegrationProjection,
  ) {}

  list(input: Input<ListIntegrationsQuery, undefined>): Promise<Page<Integration>> {
    const { limit, cursor, ...filters } = input.query;
    const where = integrationsMatching(input.principal, filters);
    return this.database.readAs(input.principal, (tx) =>
      page<ListedIntegration, Integration>(tx, {
        select: listedColumns(tx),
        from: integrationsWithActivity,
        where,
        sort: sortBy(filters.sort ?? '-createdAt', sorts),
        id: 'i.id',
        limit,
        cursor,
        boundTo: ['integrations', filters],
        total: () => count(tx, 'resources.integrations i', where),
        item: (integration) => this.record(integration, integration),
      }),
    );
  }

  get(input: Input<NoQuery, undefined>): Promise<Integration> {
    return this.database.readAs(input.principal, async (tx) => {
      const integration = await findRecord(tx, integrations, input);
      return this.record(integration, await activityOf(tx, integration));
    });
  }

  async create(input: Input<NoQuery, PostIntegration>): Promise<IntegrationWithToken> {
    const { body, principal } = input;
    const { organizationId, environment } = principal;
    const created = await this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        refuseWiderScope(principal, body);
        await requireRoom(tx, principal, 'integrations');
        const type = (body.type ?? 'generic') as IntegrationType;
        const clientId = await holdClient(tx, principal, body.clientId ?? null);
        throwFaults(await teamFaults(tx, principal, body.teamId));
        const at = new Date();
        const token = newIngestToken();
        const integration: IntegrationEntity = {
          id: newUuid(at.getTime()),
          organizationId,
          environment,
          type,
          ...patch(integrationDefaults, body),
          clientId,
          teamId: teamUuid(body.teamId) ?? null,
          settings: withoutType(settingsForNewIntegration(type, body)),
          ...tokenColumns(token),
          previousTokenHash: null,
          previousTokenExpiresAt: null,
          createdAt: at,
          updatedAt: at,
          deletedAt: null,
          version: 1,
        };
        await tx.repository(IntegrationEntity).insert(integration);
        const after = this.record(integration, noActivity);
        const tokens = tokensOf(integration);
        await this.recordChange(tx, input, { type: 'integration.created', before: null, after, tokens, at });
        return withToken(after, token, this.settings.publicUrl);
      }),
    );
    await this.projection.flushed();
    return created;
  }

  async update(input: Input<NoQuery, PutIntegration>): Promise<Integration> {
    const updated = await this.database.writeAs(input.principal, (tx) => this.change(tx, input, input.body));
    await this.projection.flushed();
    return updated;
  }

  /** What a PUT does, in the transaction of the caller. The caller waits for the projection after its commit. */
  async change(tx: Tx, input: Input<unknown, unknown>, sent: PutIntegration): Promise<Integration> {
    const present = await lockRecord(tx, integrations, input);
    refuseWiderScope(input.principal, sent);
    const activity = await activityOf(tx, present);
    throwFaults(await teamFaults(tx, input.principal, sent.teamId));
    const changes = {
      ...patch(settingsOf(integrationDefaults, present), sent),
      teamId: patched(present.teamId, teamUuid(sent.teamId)),
      clientId: sent.clientId === undefined ? present.clientId : await holdClient(tx, input.principal, sent.clientId),
      settings: withoutType(changedSettings(mappingSettingsOf(present), sent)),
    };
    const before = this.record(present, activity);
    if (auditedChanges(before, this.record({ ...present, ...changes }, activity), unaudited).length === 0)
      return before;
    const at = new Date();
    const after = this.record(await changeRecord(tx, integrations, present, changes, at), activity);
    await this.recordChange(tx, input, { type: 'integration.updated', before, after, tokens: tokensOf(present), at });
    return after;
  }

  /** With `lock` the mapping cannot change until the end of the transaction. Throws NOT_FOUND, VERSION_MISMATCH. */
  async mappingOf(
    tx: Tx,
    input: Input<unknown, unknown>,
    { lock }: { lock: boolean },
  ): Promise<{ id: string; settings: MappingSettings }> {
    const integration = await (lock ? lockRecord : findRecord)(tx, integrations, input);
    requireVersion(input.ifMatch, integration.version);
    return { id: integration.id, settings: mappingSettingsOf(integration) };
  }

  async delete(input: Input<NoQuery, undefined>): Promise<void> {
    await this.database.writeAs(input.principal, async (tx) => {
      const integration = await lockRecord(tx, integrations, input);
      await refuseAnyUse(tx, () => recordsUsing(tx, integration));
      const at = new Date();
      const released = { clientId: null, previousTokenHash: null, previousTokenExpiresAt: null };
      // Without its client, the row no longer belongs to a narrowed key.
      await tx.beyondNarrowing(() => changeRecord(tx, integrations, integration, { deletedAt: at, ...released }, at));
      const before = this.record(integration, noActivity);
      const tokens = tokensOf(integration);
      await this.recordChange(tx, input, { type: 'integration.deleted', before, after: null, tokens, at });
    });
    await this.projection.flushed();
  }

  /** The current token stays valid for `graceSeconds`. */
  async rotateToken(input: Input<NoQuery, RotateToken>): Promise<IntegrationWithToken> {
    const rotated = await this.database.writeAs(input.principal, (tx) =>
      withIdempotency(tx, 'resource-api', input.principal, input.idempotency, async () => {
        const present = await lockRecord(tx, integrations, input);
        const activity = await activityOf(tx, present);
        const at = new Date();
        const graceSeconds = input.body.graceSeconds ?? 0;
        const token = newIngestToken();
        const changes = {
          ...tokenColumns(token),
          previousTokenHash: graceSeconds > 0 ? present.tokenHash : null,
          previousTokenExpiresAt: graceSeconds > 0 ? new Date(at.getTime() + graceSeconds * 1000) : null,
        };
        const next = await changeRecord(tx, integrations, present, changes, at);
        const [before, after] = [this.record(present, activity), this.record(next, activity)];
        const tokens = [...tokensOf(present), next.tokenHash];
        await this.recordChange(tx, input, { type: 'integration.token_rotated', before, after, tokens, at });
        return withToken(after, token, this.settings.publicUrl);
      }),
    );
    await this.projection.flushed();
    return rotated;
  }

  async preview(input: Input<NoQuery, PreviewPayload>): Promise<Preview> {
    const { principal, idempotency, body } = input;
    const work = async (tx: Tx): Promise<Preview> =>
      previewOf(
        input.principal.organizationId,
        mappingSettingsOf(await findRecord(tx, integrations, input)),
        body.payload,
      );
    if (!idempotency) return this.database.readAs(principal, work);
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, idempotency, () => work(tx)),
    );
  }

  private recordChange(tx: Tx, input: Input<unknown, unknown>, change: Change): Promise<void> {
    const { type, before, after, tokens, at } = change;
    const id = (after ?? before)?.id ?? '';
    const audited = { resource: 'integration', id, before, after, ignore: unaudited, at };
    return recordAudit(tx, input, type, audited, projectionMessage(tokens));
  }

  private record(integration: IntegrationEntity, activity: IntegrationActivity): Integration {
    return integrationRecord(integration, activity, this.settings.publicUrl);
  }
}

/** Events of such an integration may change alerts of other clients. Throws INSUFFICIENT_SCOPE. */
function refuseWiderScope({ restrictedTo }: Principal, { dedupScope }: PutIntegration): void {
  if (restrictedTo && dedupScope === 'organization')
    throw refusedToNarrowed('the dedupScope "organization"', 'its events may change alerts of others');
}

const tokenColumns = (token: string): Pick<IntegrationEntity, 'tokenHash' | 'tokenHint'> => ({
  tokenHash: credentialHash(token),
  tokenHint: tokenHintOf(token),
});

/** The type is a column of its own. */
const withoutType = ({ type: _type, ...settings }: MappingSettings): IntegrationEntity['settings'] => settings;
