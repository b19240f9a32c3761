/**
 * Suppresses the matching open alerts when a suppression window begins, and resumes or resolves them when it ends or is
 * changed. The time of the next check is stored in the database (`alerts.window_watch`; a trigger on the windows marks
 * each change), so that a restart loses nothing. Any replica may do the check: because of a claim, two replicas do not
 * do the same work, and because of the locks of the alerts, no change is made twice.
 *
 * New events read the windows themselves (apply-events.ts). An event whose transaction began just before a window did
 * may commit just after the check. So every window is checked again, the last time when the database says that no such
 * transaction runs any more. A time limit is not enough: a transaction may last longer than any of its statements.
 */
import { publicId } from '@ams/contracts';
import {
  alertRecordOf,
  windowFactsOf,
  readWindow,
  alertColumns,
  windowColumns,
  Windows,
  type AlertRecord,
  type AlertRow,
  type WindowRow,
} from '@ams/alerting';
import { Database, type Tx } from '@ams/database';
import {
  decideWindows,
  mapInParts,
  nextBoundary,
  windowMatches,
  windowStatus,
  type ActorRef,
  type SuppressionWindow,
} from '@ams/domain';
import { Logger, WorkClock } from '@ams/messaging';
import { Outbox } from '@ams/persistence';
import { evaluationTurns, Liveness } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AlertChanges } from '../alerts/alert-changes.js';
import { lockAlertsWhere } from '../alerts/locked-alerts.js';

const pollMs = 250;
/** A check of a window may change many alerts. */
const stalledAfterMs = 60_000;
const chunkSize = 500;
/** The pause before the first repeated check; later ones double, up to `longestRecheckSeconds`. */
const recheckSeconds = 2;
const longestRecheckSeconds = 32;
/** After this time other replicas may check a window whose replica has died. */
const claimSeconds = 8;

interface Claim {
  window_id: string;
  organization_id: string;
  environment: 'live' | 'test';
  generation: number;
  boundary_passed: boolean;
  rechecks: number;
  /** Whether a transaction of this service runs that began before the last check. */
  older_transaction: boolean;
}

@Injectable()
export class WindowWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopped = false;
  private wake: (() => void) | null = null;
  private readonly clock = new WorkClock();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly log: Logger,
    liveness: Liveness,
  ) {
    liveness.watch('suppression windows', () => [this.clock], stalledAfterMs);
  }

  onApplicationBootstrap(): void {
    this.running = this.loop();
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      const checked = await checkNext(this.database, this.log).catch((error: unknown) => {
        this.log.warn({ err: error }, 'a suppression window could not be checked; trying again');
        return null;
      });
      if (checked === null) this.clock.attempted();
      else this.clock.progressed();
      if (checked) this.outbox.publishNow();
      else if (!this.stopped) await this.pause();
    }
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.wake?.();
    await this.running;
  }
}

/** Checks one window that is due. False when none is due. */
export async function checkNext(database: Database, log: Logger): Promise<boolean> {
  const [claim] = await database.query<Claim>(
    `UPDATE alerts.window_watch SET look_at = clock_timestamp() + interval '${claimSeconds} s'
     WHERE window_id = (
       SELECT window_id FROM alerts.window_watch WHERE look_at <= now() AND look_at < 'infinity'
       ORDER BY look_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING window_id, organization_id, environment, generation, rechecks,
       boundary <= clock_timestamp() AS boundary_passed,
       EXISTS (SELECT FROM pg_stat_activity WHERE usename = session_user AND datname = current_database()
         AND xact_start <= clock_timestamp() - interval '${recheckSeconds} s') AS older_transaction`,
  );
  if (!claim) return false;
  const [row] = await database.query<WindowRow & { now: Date }>(
    `SELECT ${windowColumns.join(', ')}, clock_timestamp() AS now FROM resources_views.suppression_windows
     WHERE organization_id = $1 AND environment = $2 AND id = $3`,
    [claim.organization_id, claim.environment, claim.window_id],
  );
  const window = row ? readWindow(row) : null;
  if (row && !window)
    log.error(
      { windowId: claim.window_id, rrule: row.rrule, timezone: row.timezone },
      'a suppression window cannot be parsed; it suppresses no alert',
    );
  await release(database, claim, window);
  if (window && row) await suppressMatching(database, claim, window, row);
  await settle(database, claim, window, row?.now ?? null);
  return true;
}

/**
 * Stores the time of the next check, unless the window has been changed meanwhile and must be checked now. `lookedAt`
 * is null when the window has been deleted.
 */
async function settle(
  database: Database,
  claim: Claim,
  window: SuppressionWindow | null,
  lookedAt: Date | null,
): Promise<void> {
  const isLast = !claim.boundary_passed && !claim.older_transaction;
  const rechecks = claim.boundary_passed ? 0 : Math.min(claim.rechecks + 1, 10);
  if (!lookedAt && isLast) {
    await database.query(
      `WITH gone AS (DELETE FROM alerts.window_watch WHERE window_id = $1 AND generation = $2 RETURNING window_id)
       DELETE FROM alerts.window_counts WHERE window_id IN (SELECT window_id FROM gone)`,
      [claim.window_id, claim.generation],
    );
    return;
  }
  const boundary = (window && lookedAt && nextBoundary(window, lookedAt.toISOString())) ?? 'infinity';
  await database.query(
    `UPDATE alerts.window_watch SET boundary = $3::timestamptz, rechecks = $4,
       look_at = least($3::timestamptz, clock_timestamp() + $5::int * interval '1 s')
     WHERE window_id = $1 AND generation = $2`,
    [
      claim.window_id,
      claim.generation,
      boundary,
      rechecks,
      isLast ? null : Math.min(recheckSeconds * 2 ** rechecks, longestRecheckSeconds),
    ],
  );
}

/** Decides again about the alerts that the window has suppressed. */
async function release(database: Database, claim: Claim, window: SuppressionWindow | null): Promise<void> {
  const id = publicId('suppressionWindow', claim.window_id);
  await inChunks(
    database,
    claim,
    `status = 'suppressed' AND suppression->>'windowId' = $3`,
    [id],
    () => true,
    (record, windows) =>
      decide(
        record,
        windows,
        window && hasEnded(window, record, windows.now.toISOString()) ? window.onEnd : 'resume',
        id,
      ),
  );
}

/** Whether the window has ended for the alert: by the end that the alert shows, or by a new end of the window. */
function hasEnded(window: SuppressionWindow, { state, ...record }: AlertRecord, now: string): boolean {
  const isOver = (state.suppression?.until ?? '') <= now || windowStatus(window, now) === 'expired';
  return isOver && window.enabled && windowMatches(window, windowFactsOf(record, state, now));
}

/** Suppresses the firing alerts that match the window now. */
async function suppressMatching(
  database: Database,
  claim: Claim,
  window: SuppressionWindow,
  row: WindowRow,
): Promise<void> {
  const { condition, params } = narrowed(row);
  await inChunks(
    database,
    claim,
    `status = 'firing'${condition}`,
    params,
    (record, windows) => windows.suppressingWindowOf(record, record.state) !== null,
    (record, windows) => decide(record, windows, 'resume', window.id),
  );
}

/** The part of a window's rule that SQL can check, so that fewer firing alerts are fetched. */
function narrowed(row: WindowRow): { condition: string; params: unknown[] } {
  const params: unknown[] = [];
  const conditions: string[] = [];
  const add = (text: string, value: unknown): void => {
    params.push(value);
    conditions.push(` AND ${text.replace('?', `$${params.length + 2}`)}`);
  };
  if (row.client_ids.length > 0) add('client_id = ANY(?::uuid[])', row.client_ids);
  if (row.integration_ids.length > 0) add('integration_id = ANY(?::uuid[])', row.integration_ids);
  const labels = row.matchers.filter(
    ({ field, op, value }) => op === 'eq' && field.startsWith('labels.') && typeof value === 'string',
  );
  for (const { field, value } of labels)
    add('labels @> ?::jsonb', JSON.stringify({ [field.slice('labels.'.length)]: value }));
  return { condition: conditions.join(''), params };
}

interface Decided {
  decision: ReturnType<typeof decideWindows>;
  actor: ActorRef;
  windowId: string;
}

/** `windowId` is the cause of the change, unless another window suppresses the alert now. */
function decide(record: AlertRecord, windows: Windows, onEnd: 'resume' | 'resolve', windowId: string): Decided {
  const suppressing = windows.suppressingWindowOf(record, record.state);
  const actor: ActorRef = { type: 'service', id: null, name: 'suppression' };
  return {
    decision: decideWindows(record.state, suppressing, onEnd, windows.now.toISOString(), actor),
    actor,
    windowId: suppressing?.windowId ?? windowId,
  };
}

/**
 * Decides about the alerts of the tenant for which `condition` and `selects` hold, and writes the decisions, a few
 * hundred in a transaction. The alerts are found without locks. Then they are locked in the order of their ids and
 * checked again. It ends when the window is changed meanwhile.
 */
async function inChunks(
  database: Database,
  claim: Claim,
  condition: string,
  params: unknown[],
  selects: (record: AlertRecord, windows: Windows) => boolean,
  decided: (record: AlertRecord, windows: Windows) => Decided,
): Promise<void> {
  const { organization_id: organizationId, environment } = claim;
  const tenant = { organizationId, environment };
  const select = `SELECT ${alertColumns} FROM alerts.alerts
    WHERE organization_id = $1 AND environment = $2 AND ${condition}`;
  const selectParams = [organizationId, environment, ...params];
  const ids = await database.asService(async (tx) => {
    const windows = await Windows.of(tx, [tenant]);
    const found: string[] = [];
    await tx.query(`DECLARE candidates NO SCROLL CURSOR FOR ${select}`, selectParams);
    for (;;) {
      const rows = await tx.query<AlertRow>(`FETCH ${chunkSize} FROM candidates`);
      const compared = windows.forFurtherAlerts();
      const selected = await evaluationTurns.run(
        { organizationId, record: publicId('suppressionWindow', claim.window_id), isShort: true },
        mapInParts(rows.map(alertRecordOf), (record) => (selects(record, compared) ? record.id : null)),
      );
      found.push(...selected.filter((id) => id !== null));
      if (rows.length < chunkSize) return found.sort();
    }
  });
  for (let from = 0; from < ids.length; from += chunkSize) {
    const isHeld = await database.asService(async (tx) => {
      if (!(await extendClaim(tx, claim))) return false;
      const records = await lockAlertsWhere(tx, tenant, `${condition} AND id = ANY($${params.length + 3}::uuid[])`, [
        ...params,
        ids.slice(from, from + chunkSize),
      ]);
      const windows = await Windows.of(tx, [tenant]);
      const at = windows.now.toISOString();
      const changes = new AlertChanges(at);
      const decisions = await evaluationTurns.run(
        { organizationId, record: publicId('suppressionWindow', claim.window_id), isShort: true },
        mapInParts(records, (record) => decided(record, windows)),
      );
      for (const [index, record] of records.entries()) {
        const { decision, actor, windowId } = decisions[index]!;
        if (decision.kind === 'changed')
          changes.change(record, decision.alert, {
            type: decision.type,
            changes: decision.changes,
            actor,
            cause: { type: 'window', id: windowId },
            at,
          });
      }
      await changes.write(tx);
      return true;
    });
    if (!isHeld) return;
  }
}

/**
 * Extends the claim while there is work. False when the window has been changed since it was claimed: what was read of
 * it is out of date, and it is due again. The lock on the row holds a change back until the transaction ends.
 */
async function extendClaim(tx: Tx, { window_id: windowId, generation }: Claim): Promise<boolean> {
  const held = await tx.query(
    `UPDATE alerts.window_watch SET look_at = clock_timestamp() + interval '${claimSeconds} s'
     WHERE window_id = $1 AND generation = $2 RETURNING window_id`,
    [windowId, generation],
  );
  return held.length > 0;
}
