import type { AnnouncedOperation, Announcement } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { admitAll, announcement, owner, owners, one, startWorld, withKey } from '../../testing/support.js';
import { documentOf, ownPart } from '../docs/document.js';
import { AnnouncedParts, conflictsOf, differencesOf, faultsOf } from './announced-parts.js';

const operation = (more: Partial<AnnouncedOperation> & { operationId?: string } = {}): AnnouncedOperation => {
  const { operationId = 'getThing', ...rest } = more;
  return {
    id: 'things.get',
    method: 'GET',
    path: '/things/{id}',
    scope: 'alerts:read',
    subject: 'rpc.things.get',
    reply: 'one',
    body: 'none',
    versioned: false,
    openapi: { operationId, tags: ['Things'], responses: { '200': { description: 'ok' } } },
    ...rest,
  };
};
const part = (
  service: string,
  operations: AnnouncedOperation[],
  schemas: Announcement['schemas'] = {},
): Announcement => ({ service, operations, schemas });
const other = { path: '/others/{id}', operationId: 'getOther' };

describe('two parts', () => {
  it('can define the same schema in the same way', () => {
    const schema = { Actor: { type: 'object', properties: { id: { type: 'string' } } } };
    const reordered = { Actor: { properties: { id: { type: 'string' } }, type: 'object' } };
    expect(conflictsOf(part('b', [operation(other)], reordered), [part('a', [operation()], schema)], ownPart)).toEqual(
      [],
    );
    expect(differencesOf([part('b', [], reordered), part('a', [], schema)])).toEqual([]);
    expect(
      conflictsOf(
        part('b', [operation({ ...other, path: '/things/{id}', method: 'PUT' })]),
        [part('a', [operation()])],
        ownPart,
      ),
    ).toEqual([]);
  });

  it.each([
    [
      'the same method and path',
      part('b', [operation({ operationId: 'x' })]),
      ['GET /things/{id} belongs to a already'],
    ],
    [
      'a path that differs in the name of a parameter',
      part('b', [operation({ operationId: 'x', method: 'PUT', path: '/things/{thingId}' })]),
      ['/things/{thingId} is written /things/{id} by a'],
    ],
    [
      'the same operation id',
      part('b', [operation({ path: '/others' })]),
      ['the operation id getThing belongs to a already'],
    ],
    [
      'a schema that is ours',
      part('b', [operation(other)], { ListMeta: { type: 'string' } }),
      ['the schema ListMeta differs from that of api-gateway'],
    ],
    [
      'an operation that is ours',
      part('b', [operation({ path: '/openapi.json', operationId: 'x' })]),
      ['GET /openapi.json belongs to api-gateway already'],
    ],
    [
      'the same operation twice',
      part('b', [operation(other), operation({ ...other, operationId: 'y' })]),
      ['GET /others/{id} belongs to b already'],
    ],
  ])('conflict by %s', (_what, announced, reasons) => {
    expect(conflictsOf(announced, [part('a', [operation()])], ownPart)).toEqual(reasons);
  });
});

describe('the parts together', () => {
  it('keep the old part of a service whose new one is refused, and use the new one when the conflict is gone', () => {
    const parts = new AnnouncedParts(ownPart);
    const [oldB, newB] = [part('b', [operation(other)]), part('b', [operation()])];
    expect(parts.offer(part('a', [operation()]), 1)).toBe(true);
    expect(parts.offer(oldB, 2)).toBe(true);
    expect(parts.offer(newB, 3)).toBe(false);
    expect(parts.accepted).toContain(oldB);
    expect(parts.refusals).toEqual([
      {
        service: 'b',
        reasons: ['GET /things/{id} belongs to a already', 'the operation id getThing belongs to a already'],
      },
    ]);
    expect(parts.offer(part('a', []), 4)).toBe(true);
    expect(parts.accepted).toContain(newB);
    expect(parts.refusals).toEqual([]);
  });

  // A new version changes a schema that two services share: one of them announces it first.
  it.each([
    ['a replica that receives all announcements', [1, 2, 3, 4]],
    ['a replica that starts in between', [2, 3]],
    ['a replica that starts afterwards', [3, 4]],
  ])('have the new schema when services change it one after the other: %s', (_what, received) => {
    const [before, after] = [{ Actor: { type: 'string' } }, { Actor: { type: 'object' } }];
    const announced = [
      part('a', [operation()], before),
      part('b', [operation(other)], before),
      part('a', [operation()], after),
      part('b', [operation(other)], after),
    ];
    const parts = new AnnouncedParts(ownPart);
    for (const place of received) expect(parts.offer(announced[place - 1] as Announcement, place)).toBe(true);
    expect(parts.refusals).toEqual([]);
    const { components, paths } = JSON.parse(documentOf(parts.accepted, null).bytes.toString()) as {
      components: { schemas: Record<string, unknown> };
      paths: object;
    };
    expect(components.schemas['Actor']).toEqual({ type: 'object' });
    expect(Object.keys(paths)).toEqual(['/things/{id}', '/others/{id}', '/stream', '/openapi.json']);
  });

  it('report the schemas that services announce differently', () => {
    const announcements = [
      part('a', [], { Actor: { type: 'string' }, Thing: {} }),
      part('b', [], { Actor: { type: 'object' } }),
    ];
    expect(differencesOf(announcements)).toEqual(['Actor of a and b']);
  });
});

describe('an announcement that cannot be used', () => {
  it.each([
    [null],
    ['text'],
    [[]],
    [{ service: 'x', operations: null, schemas: {} }],
    [{ service: 'x', operations: [null], schemas: {} }],
  ])('%j', (value) => {
    expect(faultsOf(value)).not.toEqual([]);
  });

  it.each([
    [{ method: 'CONNECT' }],
    [{ path: 'things' }],
    [{ path: '/things/' }],
    [{ path: '/thi%20ngs' }],
    [{ scope: 'root' }],
    [{ subject: '>' }],
    [{ subject: 'rpc.things.*' }],
    [{ body: 'maybe' as never }],
    [{ id: '' }],
  ])('%j', (more) => {
    expect(faultsOf(part('x', [operation(more)]))).not.toEqual([]);
    expect(faultsOf(part('x', [operation()]))).toEqual([]);
  });
});

describe('a gateway', () => {
  it('routes and documents each new announcement, and refuses one with a conflict', async () => {
    const world = await startWorld();
    await admitAll(world.connection);
    await owner(world.connection, { id: 'things.get' } as never, () => one({ id: 'thing' }));
    const gateway = await world.startGateway();
    const status = async (path: string) => (await gateway.client.get(path, withKey())).status;
    const paths = async () =>
      Object.keys((await gateway.client.get<{ paths: object }>('/api/docs/openapi.json')).body.paths).sort();

    expect(await gateway.management.get('/readyz')).toMatchObject({
      status: 503,
      body: { error: { operations: { status: 'down', message: 'no operations announced yet' } } },
    });
    expect(await paths()).toEqual(['/openapi.json', '/stream']);
    expect(await status('/api/v1/things/a')).toBe(404);

    await world.announce(part('a', [operation()]));
    await eventually(async () => expect(await status('/api/v1/things/a')).toBe(200));
    expect(await paths()).toEqual(['/openapi.json', '/stream', '/things/{id}']);
    expect((await gateway.management.get('/readyz')).status).toBe(200);

    // A new version of the service moves the path, without a restart. The old path and the old document are gone.
    await world.announce(part('a', [operation({ path: '/things/{id}/whole' })]));
    await eventually(async () => expect(await status('/api/v1/things/a/whole')).toBe(200));
    expect(await status('/api/v1/things/a')).toBe(404);
    expect(await paths()).toEqual(['/openapi.json', '/stream', '/things/{id}/whole']);

    await world.announce(part('b', [operation({ path: '/things/{id}/whole' })]));
    await world.putRaw('c', 'no JSON');
    await world.putRaw('d', '{"service":"d","operations":[{}],"schemas":{}}');
    await eventually(async () =>
      expect((await gateway.management.get<string>('/metrics')).body).toMatch(/ams_gateway_refused_parts\{[^}]*\} 3/),
    );
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ level: 'error', part: 'b', msg: expect.stringContaining('conflicts') }),
    );
    expect(await paths()).toEqual(['/openapi.json', '/stream', '/things/{id}/whole']);
    expect(await status('/api/v1/things/a/whole')).toBe(200);

    for (const name of owners) await world.announce(announcement(name));
    await eventually(async () => expect(await paths()).toContain('/alerts/{id}'));
    // A replica that starts now has the same document.
    const second = await world.startGateway();
    expect((await second.client.get('/api/docs/openapi.json')).headers.get('etag')).toBe(
      (await gateway.client.get('/api/docs/openapi.json')).headers.get('etag'),
    );
    await world.stop();
  });
});
