import {
  bulkAlerts,
  bulkJobLimits,
  getBulkJob,
  newUuid,
  publicId,
  type Answer,
  type BulkJob,
  type BulkResult,
} from '@ams/contracts';
import { dataOf, eventually, insertAlerts, insertApiKey, insertClient } from '@ams/testing';
import { idempotent, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
  await pipeline.startReplica();
});
afterAll(() => pipeline.stop());

/** A storm left so many alerts of one integration. */
const storm = async (sender: Sender, count = 1671, labels: Record<string, string> = {}): Promise<string[]> =>
  insertAlerts(
    pipeline.admin,
    sender.principal,
    Array.from({ length: count }, () => ({ integrationId: sender.integrationId, labels })),
  );

const acknowledgeAll = (sender: Sender, more: object = {}): Promise<Answer> =>
  pipeline.call(sender, bulkAlerts, {
    body: { action: 'acknowledge', filter: { status: ['firing'] }, note: 'storm' },
    ...more,
  });

const jobOf = async (sender: Sender, jobId: string): Promise<BulkJob> =>
  dataOf<BulkJob>(await pipeline.call(sender, getBulkJob, { params: { id: jobId } }));

const finished = async (sender: Sender, { id }: BulkJob): Promise<BulkJob> => {
  await eventually(async () => expect((await jobOf(sender, id)).finishedAt).not.toBeNull());
  return jobOf(sender, id);
};

/** How often each alert was acknowledged, as a list of different numbers. */
const acknowledgements = async (sender: Sender): Promise<number[]> => {
  const { rows } = await pipeline.admin.query<{ n: number }>(
    `SELECT DISTINCT (SELECT count(*)::int FROM alerts.timeline t
       WHERE t.alert_id = a.id AND t.type = 'alert.acknowledged') AS n
     FROM alerts.alerts a WHERE organization_id = $1 ORDER BY n`,
    [sender.organizationId],
  );
  return rows.map(({ n }) => n);
};

describe('a bulk change of more than a thousand alerts', () => {
  test('is accepted as a job that changes every alert once, with its audit entries and progress', async () => {
    const sender = await pipeline.newSender();
    await storm(sender);
    const answer = await acknowledgeAll(sender);
    expect(answer).toMatchObject({ ok: true, status: 202 });
    const job = dataOf<BulkJob>(answer);
    expect(job).toMatchObject({ status: 'queued', requested: 1671, succeeded: 0, failed: 0, failures: [] });
    expect(await finished(sender, job)).toMatchObject({
      id: job.id,
      action: 'acknowledge',
      status: 'completed',
      requested: 1671,
      succeeded: 1671,
      failed: 0,
      error: null,
    });
    expect(await acknowledgements(sender)).toEqual([1]);
    await pipeline.expectCorrectCounts(sender);
    const [alert] = await pipeline.alertsOf(sender);
    expect(alert).toMatchObject({ status: 'acknowledged', acknowledged_by: { type: 'api_key', name: 'key' } });
    expect(await pipeline.timelineOf(alert?.id ?? '')).toMatchObject([
      { note: 'storm', cause: { type: 'request', id: 'r' } },
    ]);
  });

  test('lists the alerts that cannot be changed, up to a hundred', async () => {
    const sender = await pipeline.newSender();
    await storm(sender, 1500);
    const client = await pipeline.admin.connect();
    try {
      // The alerts are resolved after the filter has found them: the job waits for this lock.
      await client.query('BEGIN');
      await client.query(`SELECT 1 FROM alerts.alerts WHERE organization_id = $1 FOR UPDATE`, [sender.organizationId]);
      const job = dataOf<BulkJob>(await acknowledgeAll(sender));
      await client.query(
        `UPDATE alerts.alerts SET status = 'resolved', resolved_at = now() WHERE id IN (
           SELECT id FROM alerts.alerts WHERE organization_id = $1 ORDER BY id LIMIT 120)`,
        [sender.organizationId],
      );
      await client.query('COMMIT');
      const end = await finished(sender, job);
      expect(end).toMatchObject({ status: 'completed', requested: 1500, succeeded: 1380, failed: 120 });
      expect(end.failures).toHaveLength(bulkJobLimits.failures);
      expect(end.failures[0]).toMatchObject({
        id: expect.stringMatching(/^alr_/),
        error: { code: 'INVALID_STATE_TRANSITION', details: { from: 'resolved', to: 'acknowledged' } },
      });
    } finally {
      client.release();
    }
  });

  test('goes on where it was after its replicas lost the database, and changes no alert twice', async () => {
    const sender = await pipeline.newSender();
    await storm(sender, 1600);
    const job = dataOf<BulkJob>(await acknowledgeAll(sender));
    while ((await progressOf(job)).position < 500) {
      await pipeline.admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND query LIKE '%alerts.bulk_jobs%' AND pid <> pg_backend_pid()
             AND usename <> current_user`,
      );
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    await pipeline.stopReplicas();
    const { position } = await progressOf(job);
    await pipeline.startReplica();
    await pipeline.startReplica();
    expect(position).toBeGreaterThan(0);
    expect(await finished(sender, job)).toMatchObject({ status: 'completed', succeeded: 1600, failed: 0 });
    expect(await acknowledgements(sender)).toEqual([1]);
    await pipeline.expectCorrectCounts(sender);
  });

  test('waits for the job before it of its organization, and for no other', async () => {
    const [sender, other] = [await pipeline.newSender(), await pipeline.newSender()];
    await storm(sender, 1200);
    const first = dataOf<BulkJob>(await hold(() => acknowledgeAll(sender)));
    const second = dataOf<BulkJob>(
      await pipeline.call(sender, bulkAlerts, { body: { action: 'resolve', filter: { severity: ['high'] } } }),
    );
    await storm(other, 1200);
    await finished(other, dataOf<BulkJob>(await acknowledgeAll(other)));
    expect(await jobOf(sender, second.id)).toMatchObject({ status: 'queued', startedAt: null });
    await pipeline.admin.query(`UPDATE alerts.bulk_jobs SET turn_at = now() WHERE id = $1`, [uuidIn(first.id)]);
    const [a, b] = [await finished(sender, first), await finished(sender, second)];
    expect(Date.parse(b.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(a.finishedAt ?? ''));
  });

  test('ends when the key that asked for it is revoked', async () => {
    const sender = await pipeline.newSender();
    await storm(sender, 1200);
    const job = dataOf<BulkJob>(await hold(() => acknowledgeAll(sender)));
    await pipeline.admin.query(`UPDATE auth.api_keys SET revoked_at = now() WHERE id = $1`, [sender.principal.id]);
    await pipeline.admin.query(`UPDATE alerts.bulk_jobs SET turn_at = now() WHERE id = $1`, [uuidIn(job.id)]);
    await eventually(async () =>
      expect(await progressOf(job)).toMatchObject({ status: 'failed', position: 0, error: { code: 'UNAUTHORIZED' } }),
    );
    expect(await acknowledgements(sender)).toEqual([0]);
  });

  test('is one job for a request repeated with its Idempotency-Key, also when fewer alerts match later', async () => {
    const sender = await pipeline.newSender();
    await storm(sender, 1100);
    const idempotency = idempotent('bulk');
    const job = dataOf<BulkJob>(await acknowledgeAll(sender, { idempotency }));
    await finished(sender, job);
    const again = await acknowledgeAll(sender, { idempotency });
    expect(again).toMatchObject({ ok: true, status: 202 });
    expect(dataOf<BulkJob>(again)).toEqual(job);
  });

  test('of a thousand is done at once', async () => {
    const sender = await pipeline.newSender();
    await storm(sender, 1000);
    const answer = await acknowledgeAll(sender);
    expect(answer).toMatchObject({ ok: true, status: 200 });
    expect(dataOf<BulkResult>(answer)).toMatchObject({ requested: 1000, succeeded: 1000 });
  });

  test('is refused while ten jobs of the tenant are not finished', async () => {
    const sender = await pipeline.newSender();
    const ids = await storm(sender, 1001);
    for (let n = 0; n < bulkJobLimits.unfinished; n++)
      await pipeline.admin.query(
        `INSERT INTO alerts.bulk_jobs (id, organization_id, environment, action, caller, alert_ids, turn_at)
         VALUES ($1, $2, 'live', 'resolve', '{}', $3, 'infinity')`,
        [newUuid(), sender.organizationId, ids],
      );
    expect(await acknowledgeAll(sender)).toMatchObject({ ok: false, code: 'CONFLICT' });
    await pipeline.admin.query('DELETE FROM alerts.bulk_jobs WHERE organization_id = $1', [sender.organizationId]);
  });

  test('is not shown to another organization or environment', async () => {
    const sender = await pipeline.newSender();
    await storm(sender, 1001);
    const { id: jobId } = dataOf<BulkJob>(await acknowledgeAll(sender));
    const { organizationId } = sender;
    for (const stranger of [
      await pipeline.newSender(),
      await pipeline.newSender({ organizationId, environment: 'test' }),
    ])
      for (const id of [jobId, publicId('bulkJob', newUuid()), 'nonsense'])
        expect(await pipeline.call(stranger, getBulkJob, { params: { id } })).toMatchObject({
          ok: false,
          code: 'NOT_FOUND',
        });
  });

  test('of a key restricted to a client changes the alerts of this client only, and others do not see it', async () => {
    const sender = await pipeline.newSender();
    const { organizationId } = sender;
    const [own, foreign] = [
      await insertClient(pipeline.admin, sender.principal),
      await insertClient(pipeline.admin, sender.principal),
    ];
    const keyOf = async (clientId: string): Promise<Sender> => {
      const restrictedTo = { clientIds: [clientId], teamIds: [] };
      return { ...sender, principal: (await insertApiKey(pipeline.admin, { organizationId, restrictedTo })).principal };
    };
    const [restricted, stranger] = [await keyOf(own), await keyOf(foreign)];
    for (const clientId of [own, foreign, null])
      await insertAlerts(
        pipeline.admin,
        sender.principal,
        Array.from({ length: 1100 }, () => ({ integrationId: sender.integrationId, clientId })),
      );
    const job = dataOf<BulkJob>(await acknowledgeAll(restricted));
    expect(job.requested).toBe(1100);
    expect(await finished(restricted, job)).toMatchObject({ status: 'completed', succeeded: 1100, failed: 0 });
    expect(await jobOf(sender, job.id)).toMatchObject({ id: job.id });
    const { rows } = await pipeline.admin.query(
      `SELECT client_id, count(*)::int AS n FROM alerts.alerts
       WHERE organization_id = $1 AND status = 'acknowledged' GROUP BY client_id`,
      [organizationId],
    );
    expect(rows).toEqual([{ client_id: own, n: 1100 }]);
    const whole = dataOf<BulkJob>(await acknowledgeAll(sender));
    for (const [key, id] of [
      [stranger, job.id],
      [stranger, whole.id],
      [restricted, whole.id],
    ] as const)
      expect(await pipeline.call(key, getBulkJob, { params: { id } })).toMatchObject({ code: 'NOT_FOUND' });
    await finished(sender, whole);
  });

  test('for a member is the member’s, and shows the key; so many are not assigned at once', async () => {
    const sender = await pipeline.newSender();
    const member = await pipeline.newMember(sender);
    await storm(sender, 1001);
    const assign = { action: 'assign', assigneeId: member, filter: {} };
    expect(await pipeline.call(sender, bulkAlerts, { body: assign })).toMatchObject({ code: 'VALIDATION_ERROR' });
    const body = { action: 'acknowledge', filter: {}, onBehalfOf: member };
    await finished(sender, dataOf<BulkJob>(await pipeline.call(sender, bulkAlerts, { body })));
    const via = { type: 'api_key', id: publicId('apiKey', sender.principal.id), name: 'key' };
    const [alert] = await pipeline.alertsOf(sender);
    expect(alert?.acknowledged_by).toEqual({ type: 'user', id: member, name: 'member', via });
  });

  test('takes the filters of the list: values that are excluded, and labels by a pattern', async () => {
    const sender = await pipeline.newSender();
    await storm(sender, 2, { service: 'db-1' });
    await storm(sender, 3, { service: 'web' });
    await storm(sender, 4);
    const acknowledge = async (filter: object): Promise<Answer> =>
      pipeline.call(sender, bulkAlerts, { body: { action: 'acknowledge', filter } });
    expect(dataOf(await acknowledge({ label: ['service~:^db'] }))).toMatchObject({ requested: 2, succeeded: 2 });
    expect(dataOf(await acknowledge({ status: ['!acknowledged'], label: ['service!:web'] }))).toMatchObject({
      requested: 4,
    });
    expect(await acknowledge({ label: ['service~:('], severity: ['low', '!high'] })).toMatchObject({
      ok: false,
      code: 'VALIDATION_ERROR',
      details: {
        fields: expect.arrayContaining([
          expect.objectContaining({ path: 'filter.label' }),
          expect.objectContaining({ path: 'filter.severity' }),
        ]),
      },
    });
  });
});

/** The jobs that `work` makes do not get a turn. */
async function hold<T>(work: () => Promise<T>): Promise<T> {
  await pipeline.admin.query(`ALTER TABLE alerts.bulk_jobs ALTER turn_at SET DEFAULT 'infinity'`);
  try {
    return await work();
  } finally {
    await pipeline.admin.query('ALTER TABLE alerts.bulk_jobs ALTER turn_at SET DEFAULT clock_timestamp()');
  }
}

const uuidIn = (id: string): string => id.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

async function progressOf({ id }: BulkJob): Promise<{ position: number; status: string; error: object | null }> {
  const { rows } = await pipeline.admin.query<{ position: number; status: string; error: object | null }>(
    'SELECT position, status, error FROM alerts.bulk_jobs WHERE id = $1',
    [uuidIn(id)],
  );
  return rows[0] as { position: number; status: string; error: object | null };
}

test.each(['acknowledge', 'resolve'] as const)('%s waits for no lock of an alert that is resolved', async (action) => {
  const sender = await pipeline.newSender();
  const [firing, resolved] = (await storm(sender, 2)).map((uuid) => publicId('alert', uuid));
  await pipeline.call(sender, bulkAlerts, { body: { action: 'resolve', ids: [resolved] } });
  const holder = await pipeline.admin.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM alerts.alerts WHERE organization_id = $1 AND status = $2 FOR UPDATE', [
      sender.organizationId,
      'resolved',
    ]);
    const missing = publicId('alert', newUuid());
    const answer = await pipeline.call(sender, bulkAlerts, { body: { action, ids: [firing, resolved, missing] } });
    const isRefused = action === 'acknowledge';
    expect(dataOf<BulkResult>(answer)).toMatchObject({
      requested: 3,
      succeeded: isRefused ? 1 : 2,
      results: [
        { id: firing, ok: true, changed: true, status: isRefused ? 'acknowledged' : 'resolved' },
        {
          id: resolved,
          ok: !isRefused,
          changed: false,
          status: 'resolved',
          error: isRefused ? { code: 'INVALID_STATE_TRANSITION', details: { from: 'resolved' } } : null,
        },
        { id: missing, ok: false, status: null, error: { code: 'NOT_FOUND' } },
      ],
    });
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
});

describe('a bulk change of several parts', () => {
  const lastOf = (ids: readonly string[]): string => ids.at(-1) as string;
  const waits = `datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`;
  /** The last part waits for a lock. All before it are changed. */
  const lastPartWaits = async (sender: Sender): Promise<void> => {
    await eventually(async () =>
      expect((await pipeline.admin.query(`SELECT FROM pg_stat_activity WHERE ${waits}`)).rowCount).toBe(1),
    );
    const alerts = await pipeline.alertsOf(sender);
    const firing = alerts.filter(({ status }) => status === 'firing').length;
    // Parts are smaller while others are active, which may end between two parts.
    expect(firing).toBeGreaterThan(0);
    expect(firing).toBeLessThanOrEqual(50);
    expect(alerts.filter(({ status }) => status === 'acknowledged')).toHaveLength(250 - firing);
  };

  test('locks the alerts of one part at a time: the others are changed while one waits', async () => {
    const sender = await pipeline.newSender();
    const ids = (await storm(sender, 250)).sort();
    await whileLocked(lastOf(ids), async (release) => {
      const answer = acknowledgeAll(sender);
      await lastPartWaits(sender);
      await release();
      expect(dataOf<BulkResult>(await answer)).toMatchObject({ requested: 250, succeeded: 250, failed: 0 });
    });
    expect(await acknowledgements(sender)).toEqual([1]);
    await pipeline.expectCorrectCounts(sender);
  });

  test('is continued by a request with its Idempotency-Key after an error, and changes no alert twice', async () => {
    const sender = await pipeline.newSender();
    const ids = (await storm(sender, 250)).sort();
    const idempotency = idempotent('parts');
    await whileLocked(lastOf(ids), async () => {
      const answer = acknowledgeAll(sender, { idempotency });
      await lastPartWaits(sender);
      await pipeline.admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waits}`);
      expect((await answer).ok).toBe(false);
    });
    const answer = dataOf<BulkResult>(await acknowledgeAll(sender, { idempotency }));
    expect(answer).toMatchObject({ requested: 250, succeeded: 250 });
    expect(answer.results.map(({ id }) => uuidIn(id)).sort()).toEqual(ids);
    expect(answer.results.every(({ ok, changed }) => ok && changed)).toBe(true);
    expect(dataOf<BulkResult>(await acknowledgeAll(sender, { idempotency }))).toEqual(answer);
    expect(await acknowledgements(sender)).toEqual([1]);
  });
});

/** Another transaction has locked the alert meanwhile, or until `release`. */
async function whileLocked(id: string, work: (release: () => Promise<unknown>) => Promise<void>): Promise<void> {
  const holder = await pipeline.admin.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM alerts.alerts WHERE id = $1 FOR UPDATE', [id]);
    await work(() => holder.query('ROLLBACK'));
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
}
