/** Suppression windows. The pipeline reads the same rows, and suppresses the alerts that match. */
import {
  newUuid,
  windowDefaults,
  windowFaults,
  type Input,
  type ListSuppressionQuery,
  type NoQuery,
  type OccurrencesQuery,
  type Page,
  type PostSilence,
  type PostSuppressionWindow,
  type PutSuppressionWindow,
  type SuppressionPreview,
  type SuppressionWindow,
  type WindowOccurrences,
  type WindowScope,
} from '@ams/contracts';
import { alertFromRow } from '@ams/alerting';
import { actorOf, Database, page, withIdempotency, type Tx } from '@ams/database';
import { windowStatus } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { findAlert } from '../alerts/alert-queries.js';
import {
  deleteRecord,
  findRecord,
  insertRecord,
  lockRecord,
  changeRecord,
  patched,
} from '../records/entity-records.js';
import { requireRoom } from '../records/record-room.js';
import { auditedChanges, recordAudit } from '../records/record-audit.js';
import { count, owned, sortBy } from '../records/tenant-queries.js';
import { throwFaults } from '../records/throw-faults.js';
import { teamFaults } from '../teams/held-team.js';
import { silenceOf } from './silence.js';
import { suppressionPreview } from './suppression-preview.js';
import type { SuppressionWindowEntity } from './suppression-window.entity.js';
import { occurrencesOf, rangeOf } from './window-occurrences.js';
import { listedColumns, situationOf, timesMatching, windowsMatching, type ListedWindow } from './window-queries.js';
import { storedSettings, windowRecord, windows, type WindowSettings } from './window-record.js';
import { inUtc, sizeFaults, unknownIds } from './window-settings.js';
import { statusAt } from './window-status.js';

const sorts = {
  name: { column: 'name', type: 'text' },
  createdAt: { column: 'created_at', type: 'time' },
  startsAt: { column: 'starts_at', type: 'time' },
} as const;

/** They change without a change of the window. */
const unaudited = ['status', 'suppressedCount'];

@Injectable()
export class SuppressionService {
  constructor(private readonly database: Database) {}

  list(input: Input<ListSuppressionQuery, undefined>): Promise<Page<SuppressionWindow>> {
    const { limit, cursor, ...filters } = input.query;
    return this.database.readAs(input.principal, async (tx) => {
      const where = await windowsMatching(tx, input.principal, filters);
      return page<ListedWindow, SuppressionWindow>(tx, {
        select: listedColumns(tx),
        from: 'resources.suppression_windows',
        where,
        sort: sortBy(filters.sort ?? '-createdAt', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['suppression', filters],
        total: () => count(tx, 'resources.suppression_windows', where),
        item: listedRecord,
      });
    });
  }

  get(input: Input<NoQuery, undefined>): Promise<SuppressionWindow> {
    return this.database.readAs(input.principal, async (tx) => recordOf(tx, await findRecord(tx, windows, input)));
  }

  occurrences(input: Input<OccurrencesQuery, undefined>): Promise<WindowOccurrences> {
    const range = rangeOf(input.query, new Date());
    return this.database.readAs(input.principal, async (tx) =>
      occurrencesOf(await timesMatching(tx, owned(input.principal)), range),
    );
  }

  create(input: Input<NoQuery, PostSuppressionWindow>): Promise<SuppressionWindow> {
    const { body, principal } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        await requireRoom(tx, principal, 'suppressionWindows');
        const settings = { ...windowDefaults, ...inUtc(body) } as WindowSettings;
        throwFaults([
          ...sizeFaults(settings),
          ...(await unknownIds(tx, principal, body, { locked: true })),
          ...(await teamFaults(tx, principal, body.teamId)),
        ]);
        return insertWindow(tx, input, settings, new Date());
      }),
    );
  }

  silence(input: Input<NoQuery, PostSilence>): Promise<SuppressionWindow> {
    const { body, principal } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        await requireRoom(tx, principal, 'suppressionWindows');
        const alert = alertFromRow(await findAlert(tx, input));
        // The status of a window is by the time of the transaction.
        const [row] = await tx.query<{ at: Date }>("SELECT date_trunc('milliseconds', now()) AS at");
        const { at } = row!;
        const settings: WindowSettings = {
          ...windowDefaults,
          // A window of a narrowed key must belong to its clients.
          clientIds: principal.restrictedTo && alert.clientId ? [alert.clientId] : [],
          exceptSeverities: [],
          ...silenceOf(alert),
          reason: body.reason ?? null,
          startsAt: at.toISOString(),
          endsAt: new Date(at.getTime() + body.durationSeconds * 1000).toISOString(),
        };
        // The integration of an alert may have been deleted.
        if ((await unknownIds(tx, principal, settings, { locked: true })).length > 0) settings.integrationIds = [];
        throwFaults([...windowFaults({ ...settings }), ...sizeFaults(settings)]);
        return insertWindow(tx, input, settings, at);
      }),
    );
  }

  update(input: Input<NoQuery, PutSuppressionWindow>): Promise<SuppressionWindow> {
    const { body, principal } = input;
    return this.database.writeAs(principal, async (tx) => {
      const present = await lockRecord(tx, windows, input);
      const { now, suppressedCount } = await situationOf(tx, present);
      const before = windowRecord(present, { status: statusAt(present, now), suppressedCount });
      const merged = { ...before, ...inUtc(body), matchers: patched(before.matchers, body.matchers) };
      // The records that the window names already cannot be deleted. So only the sent ids are looked up.
      throwFaults([
        ...windowFaults({ ...merged }),
        ...sizeFaults(merged),
        ...(await unknownIds(tx, principal, body, { locked: true })),
        ...(await teamFaults(tx, principal, body.teamId)),
      ]);
      if (auditedChanges(before, merged, unaudited).length === 0) return before;
      const at = new Date();
      const changed = await changeRecord(tx, windows, present, storedSettings(merged), at);
      const after = windowRecord(changed, { status: windowStatus(merged, now.toISOString()), suppressedCount });
      await audit(tx, input, 'suppression_window.updated', { before, after, at });
      return after;
    });
  }

  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.database.writeAs(input.principal, async (tx) => {
      const window = await lockRecord(tx, windows, input);
      const before = await recordOf(tx, window);
      await deleteRecord(tx, windows, window);
      await audit(tx, input, 'suppression_window.deleted', { before, after: null, at: new Date() });
    });
  }

  preview(input: Input<NoQuery, WindowScope>): Promise<SuppressionPreview> {
    const { body, principal, idempotency } = input;
    const work = async (tx: Tx): Promise<SuppressionPreview> => {
      throwFaults(await unknownIds(tx, principal, body, { locked: false }));
      return suppressionPreview(tx, principal, body);
    };
    if (!idempotency) return this.database.readAs(principal, work);
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, idempotency, () => work(tx)),
    );
  }
}

async function insertWindow(
  tx: Tx,
  input: Input<unknown, unknown>,
  settings: WindowSettings,
  at: Date,
): Promise<SuppressionWindow> {
  const { principal } = input;
  const window: SuppressionWindowEntity = {
    id: newUuid(at.getTime()),
    organizationId: principal.organizationId,
    environment: principal.environment,
    ...storedSettings(settings),
    createdBy: actorOf(principal),
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
  await insertRecord(tx, windows, window);
  const after = await recordOf(tx, window);
  await audit(tx, input, 'suppression_window.created', { before: null, after, at });
  return after;
}

const listedRecord = (window: ListedWindow): SuppressionWindow =>
  windowRecord(window, { status: statusAt(window, window.now), suppressedCount: window.suppressedCount });

const recordOf = async (tx: Tx, window: SuppressionWindowEntity): Promise<SuppressionWindow> =>
  listedRecord({ ...window, ...(await situationOf(tx, window)) });

const audit = (
  tx: Tx,
  input: Input<unknown, unknown>,
  type: string,
  change: { before: SuppressionWindow | null; after: SuppressionWindow | null; at: Date },
): Promise<void> => {
  const id = (change.after ?? change.before)?.id ?? '';
  return recordAudit(tx, input, type, { resource: windows.resource, id, ...change, ignore: unaudited });
};
