/** Hand-offs and ends of suppression windows, as they arrive in the stream of domain events. */
import {
  alertEventsStream,
  createOverride,
  createSchedule,
  createSuppression,
  createSwap,
  deleteOverride,
  publicId,
  updateSchedule,
  updateSuppression,
  uuidOf,
  type Principal,
  type Schedule,
  type ScheduleEvent,
  type ScheduleOverride,
  type SuppressionEvent,
  type SuppressionWindow,
} from '@ams/contracts';
import { dataOf, eventually, insertMember, streamManager } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
let ann: string;
let bob: string;

beforeAll(async () => {
  api = await startResourceApi({ replicas: 3 });
  me = await api.newPrincipal();
  [ann, bob] = [await newMember('Ann'), await newMember('Bob')];
});
afterAll(() => api.stop());

const newMember = async (name: string): Promise<string> =>
  publicId('member', await insertMember(api.admin, me, { name }));

const minute = 60_000;
const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString();
const always = (...members: string[]) => ({
  id: 'always',
  name: 'Always',
  members,
  perTurn: members.length || 1,
  rotation: { unit: 'day', interval: 1, handoffTime: '00:00' },
  startsAt: '2020-01-01T00:00:00Z',
});

async function eventsAbout(id: string): Promise<(ScheduleEvent | SuppressionEvent)[]> {
  const manager = await streamManager(api.nats);
  const { state } = await manager.streams.info(alertEventsStream);
  const found: (ScheduleEvent | SuppressionEvent)[] = [];
  for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq++) {
    const message = await manager.streams.getMessage(alertEventsStream, { seq });
    found.push(...(message?.json<{ events: (ScheduleEvent | SuppressionEvent)[] }>().events ?? []));
  }
  return found.filter((event) => ('schedule' in event ? event.schedule : event.suppression).id === id);
}
/** `1 Ann>Bob`: the number of the hand-off, who was on call, and who is. */
const handOffs = async (id: string): Promise<string[]> =>
  (await eventsAbout(id)).map((event) => {
    const { version, from, to } = (event as ScheduleEvent).schedule;
    return `${version} ${from.map(({ name }) => name).join()}>${to.map(({ name }) => name).join()}`;
  });
/** Until every change of the record was looked at. */
const settled = (table: 'schedule_handoffs' | 'window_endings', id: string): Promise<void> =>
  eventually(async () => {
    const [column, uuid] =
      table === 'window_endings'
        ? ['window_id', uuidOf('suppressionWindow', id)]
        : ['schedule_id', uuidOf('schedule', id)];
    const { rows } = await api.admin.query<{ waits: boolean }>(
      `SELECT look_at <= now() AS waits FROM resources.${table} WHERE ${column} = $1`,
      [uuid],
    );
    expect(rows).toEqual([{ waits: false }]);
  });

async function newSchedule(layers: object[]): Promise<string> {
  const { id } = dataOf<Schedule>(await api.callAs(me, createSchedule, { body: { name: 'Primary', layers } }));
  await settled('schedule_handoffs', id);
  return id;
}
const update = async (id: string, body: object): Promise<void> => {
  dataOf(await api.callAs(me, updateSchedule, { params: { id }, body }));
  await settled('schedule_handoffs', id);
};
const override = async (id: string, body: object): Promise<ScheduleOverride> => {
  const made = dataOf<ScheduleOverride>(await api.callAs(me, createOverride, { params: { id }, body }));
  await settled('schedule_handoffs', id);
  return made;
};

describe('schedule.handoff', () => {
  it('tells each change once, with three replicas: by an edit, an override, its end, a swap, and a gap', async () => {
    const id = await newSchedule([always(ann)]);
    expect(await handOffs(id)).toEqual([]);
    await update(id, { name: 'Renamed' });
    await update(id, { layers: [always(bob)] });
    const { id: overrideId } = await override(id, { userId: ann, startsAt: fromNow(0), endsAt: fromNow(5 * minute) });
    dataOf(
      await api.callAs(me, createSwap, {
        params: { id },
        body: {
          a: { userId: ann, startsAt: fromNow(0), endsAt: fromNow(2 * minute) },
          b: { userId: bob, startsAt: fromNow(20 * minute), endsAt: fromNow(25 * minute) },
        },
      }),
    );
    await settled('schedule_handoffs', id);
    await api.callAs(me, deleteOverride, { params: { id, overrideId } });
    await update(id, { layers: [always(ann, bob)] });
    await update(id, { layers: [] });
    await eventually(async () => expect((await handOffs(id)).at(-1)).toMatch(/>$/));
    const all = await handOffs(id);
    expect(all.slice(0, 3)).toEqual(['1 Ann>Bob', '2 Bob>Ann', '3 Ann>Bob']);
    expect(all.map((one) => Number(one.split(' ')[0]))).toEqual(all.map((_, i) => i + 1));
    for (const [i, one] of all.entries()) if (i > 0) expect(one.split(/[ >]/)[1]).toBe(all[i - 1]!.split('>')[1]);
  });

  it('tells when an override begins and ends, at that time', async () => {
    const id = await newSchedule([always(ann)]);
    await api.callAs(me, createOverride, {
      params: { id },
      body: { userId: bob, startsAt: fromNow(1500), endsAt: fromNow(3000) },
    });
    await eventually(async () => expect(await handOffs(id)).toEqual(['1 Ann>Bob', '2 Bob>Ann']));
    const [first] = (await eventsAbout(id)) as ScheduleEvent[];
    expect(first).toMatchObject({
      type: 'schedule.handoff',
      organizationId: me.organizationId,
      environment: 'live',
      depth: 0,
      schedule: { name: 'Primary', source: 'override', layer: null, from: [{ id: ann }], to: [{ id: bob }] },
    });
    expect(Date.parse(first!.occurredAt)).toBeGreaterThanOrEqual(Date.parse(first!.schedule.startsAt!));
  });

  it('tells the present state once after a day without a replica', async () => {
    const id = await newSchedule([
      { ...always(ann, bob), perTurn: 1, rotation: { unit: 'hour', interval: 1, handoffTime: '00:00' } },
    ]);
    const carl = await newMember('Carl');
    await api.admin.query(
      `UPDATE resources.schedule_handoffs SET told = $2, look_at = now() - interval '1 day' WHERE schedule_id = $1`,
      [uuidOf('schedule', id), { userIds: [uuidOf('member', carl)] }],
    );
    await settled('schedule_handoffs', id);
    await eventually(async () => expect(await handOffs(id)).toEqual([expect.stringMatching(/^1 Carl>(Ann|Bob)$/)]));
  });

  it('is told once by another replica when one dies in the middle, and other schedules do not wait for it', async () => {
    const [id, other] = [await newSchedule([always(ann)]), await newSchedule([always(ann)])];
    const dying = await api.admin.connect();
    try {
      await dying.query('BEGIN');
      await dying.query(
        `UPDATE resources.schedule_handoffs SET told = '{"userIds": []}', sequence = 7, look_at = 'infinity'
         WHERE schedule_id = $1`,
        [uuidOf('schedule', id)],
      );
      await update(other, { layers: [always(bob)] });
      await eventually(async () => expect(await handOffs(other)).toEqual(['1 Ann>Bob']));
      const edit = update(id, { layers: [always(bob)] });
      await dying.query('ROLLBACK');
      await edit;
      await eventually(async () => expect(await handOffs(id)).toEqual(['1 Ann>Bob']));
    } finally {
      dying.release();
    }
  });
});

describe('suppression.expiring', () => {
  const newWindow = async (body: object): Promise<string> => {
    const values = { name: 'Deployment', matchAll: true, startsAt: fromNow(-minute), ...body };
    const { id } = dataOf<SuppressionWindow>(await api.callAs(me, createSuppression, { body: values }));
    await settled('window_endings', id);
    return id;
  };
  const ends = async (id: string): Promise<string[]> =>
    (await eventsAbout(id)).map((event) => {
      const { version, endsAt } = (event as SuppressionEvent).suppression;
      return `${version} ${endsAt}`;
    });

  it('is told once for an end within the hour, and again for a new end', async () => {
    const [soon, later] = [fromNow(30 * minute), fromNow(40 * minute)];
    const id = await newWindow({ endsAt: soon });
    const change = async (body: object): Promise<void> => {
      dataOf(await api.callAs(me, updateSuppression, { params: { id }, body }));
      await settled('window_endings', id);
    };
    await change({ name: 'Renamed' });
    await change({ endsAt: later });
    await change({ endsAt: fromNow(300 * minute) });
    await eventually(async () => expect(await ends(id)).toEqual([`1 ${soon}`, `2 ${later}`]));
  });

  it('is told an hour before the end, and not for a disabled window', async () => {
    const endsAt = fromNow(90 * minute);
    const [long, disabled] = [
      await newWindow({ endsAt }),
      await newWindow({ endsAt: fromNow(minute), enabled: false }),
    ];
    const { rows } = await api.admin.query<{ at: Date | number }>(
      'SELECT look_at AS at FROM resources.window_endings WHERE window_id = $1',
      [uuidOf('suppressionWindow', long)],
    );
    expect(rows).toEqual([{ at: new Date(Date.parse(endsAt) - 60 * minute) }]);
    expect([await ends(long), await ends(disabled)]).toEqual([[], []]);
  });
});
