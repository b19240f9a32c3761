import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Fault,
  operation,
  serviceRequest,
  subjectOf,
  type Announcement,
  type Answer,
  type Call,
  type Input,
  type Owner,
  type Principal,
} from '@ams/contracts';
import { removeState, startNats, type EmbeddedNats } from '@ams/embedded';
import {
  announcementsKv,
  applyBroker,
  connectNats,
  Handles,
  HandlesRequest,
  RpcClient,
  type NatsConnection,
} from '@ams/messaging';
import {
  Controller,
  Injectable,
  Module,
  type BeforeApplicationShutdown,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Min } from 'class-validator';
import { setTimeout as pause } from 'node:timers/promises';
import { Readiness } from './health/readiness.js';
import { createLogger } from './log.js';
import { startService, type RunningService, type Service } from './run-service.js';
import { ServiceSettings } from './settings.js';

const owner = 'probe' as Owner;

class Doubling {
  @ApiProperty() @IsInt() @Min(0) number!: number;
}
class Doubled {
  @ApiProperty() number!: number;
  @ApiProperty() version!: number;
}
const double = operation({
  id: 'numbers.double',
  operationId: 'doubleNumber',
  owner,
  method: 'POST',
  path: '/numbers',
  scope: 'alerts:write',
  tag: 'Numbers',
  summary: 'Double a number',
  description: 'Doubles a number.',
  body: Doubling,
  reply: 'one',
  item: Doubled,
  versioned: true,
  example: { body: { number: 1 }, reply: { data: { number: 2, version: 1 } } },
});
const ping = serviceRequest<{ name: string }, { hello: string }>('rpc.probe.ping');

let doubles: (number: number) => Promise<number>;

@Controller()
class NumbersController {
  @Handles(double)
  async double({ body }: Input<Record<string, never>, Doubling>): Promise<Doubled> {
    return { number: await doubles(body.number), version: 7 };
  }

  @HandlesRequest(ping)
  async ping({ name }: { name: string }): Promise<{ hello: string }> {
    if (name === '') throw new Error('no name');
    return { hello: name };
  }
}

const events: string[] = [];
let problem: string | null = null;

@Injectable()
class Leaf implements OnModuleInit, BeforeApplicationShutdown {
  onModuleInit(): void {
    events.push('leaf starts');
  }
  beforeApplicationShutdown(): void {
    events.push('leaf drains');
  }
}
@Module({ providers: [Leaf], exports: [Leaf] })
class LeafModule {}

@Injectable()
class Feature implements OnModuleInit, BeforeApplicationShutdown {
  constructor(
    readonly leaf: Leaf,
    readiness: Readiness,
  ) {
    readiness.add('feature', () => problem);
  }
  onModuleInit(): void {
    events.push('feature starts');
  }
  beforeApplicationShutdown(): void {
    events.push('feature drains');
  }
}
@Module({ imports: [LeafModule], controllers: [NumbersController], providers: [Feature] })
class ProbeModule {}

@Injectable()
class Failing implements OnModuleInit {
  onModuleInit(): void {
    throw new Error('no');
  }
}
@Module({ imports: [LeafModule], providers: [Failing] })
class FailingModule {}

@Controller()
class SecondController extends NumbersController {}
@Module({ controllers: [NumbersController, SecondController] })
class TwiceModule {}

let nats: EmbeddedNats;
let dir: string;
let client: NatsConnection;
const log = createLogger('probe', 'silent');

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ams-service-'));
  nats = await startNats({ dir, durable: false });
  client = await connectNats({ url: nats.url, name: 'test' });
  await applyBroker(client);
});
afterAll(async () => {
  await client.close();
  await nats.stop();
  removeState(dir);
});
beforeEach(() => {
  events.length = 0;
  problem = null;
  doubles = async (number) => number * 2;
});

const start = (module: Type = ProbeModule, more: Partial<Service<ServiceSettings>> = {}): Promise<RunningService> => {
  const settings = Object.assign(new ServiceSettings(), { httpHost: '127.0.0.1', httpPort: 0, natsUrl: nats.url });
  return startService({ name: 'probe', settings: ServiceSettings, module, ...more }, settings, log);
};

const principal: Principal = {
  type: 'api_key',
  id: 'key',
  name: 'a key',
  organizationId: 'organization',
  environment: 'live',
  scopes: ['alerts:write'],
};

async function callDouble(body: unknown, more: Partial<Call> = {}): Promise<Answer> {
  const nothing = { params: {}, query: {}, ifMatch: null, idempotency: null, ip: null, userAgent: null };
  const call: Call = { requestId: 'r1', principal, body, ...nothing, ...more };
  return (await client.request(subjectOf(double), JSON.stringify(call), { timeout: 5000 })).json<Answer>();
}

describe('operations', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  it('return status, body and version', async () => {
    expect(await callDouble({ number: 4 })).toEqual({
      ok: true,
      status: 200,
      body: { data: { number: 8, version: 7 } },
      version: 7,
    });
  });

  it('are rejected with every error of the body, unknown fields and unknown parameters', async () => {
    const refused = await callDouble({ number: -1, other: 1 });
    expect(refused).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    expect(
      (refused as { details: { fields: { path: string }[] } }).details.fields.map(({ path }) => path).sort(),
    ).toEqual(['number', 'other']);
    expect(await callDouble({ number: 1 }, { query: { page: '2' } })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('are rejected without their scope', async () => {
    const answer = await callDouble({ number: 1 }, { principal: { ...principal, scopes: ['alerts:read'] } });
    expect(answer).toMatchObject({ ok: false, code: 'INSUFFICIENT_SCOPE', details: { required: 'alerts:write' } });
  });

  it('return a fault with its code, and any other error as INTERNAL_ERROR with the request id', async () => {
    doubles = () => Promise.reject(new Fault('CONFLICT', null));
    expect(await callDouble({ number: 1 })).toMatchObject({ ok: false, code: 'CONFLICT' });
    doubles = () => Promise.reject(new Error('secret'));
    const answer = await callDouble({ number: 1 });
    expect(answer).toMatchObject({ ok: false, code: 'INTERNAL_ERROR', details: { requestId: 'r1' } });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it('get a response even when they are invalid', async () => {
    const reply = await client.request(subjectOf(double), 'no JSON', { timeout: 5000 });
    expect(reply.json()).toMatchObject({ ok: false, code: 'INTERNAL_ERROR' });
  });

  it('are announced', async () => {
    const entry = await (await announcementsKv(client, { replicas: 1 })).get('probe');
    expect(entry?.json<Announcement>().operations.map(({ id }) => id)).toEqual(['numbers.double']);
  });

  it('continue while the service stops: accepted requests are answered', async () => {
    const second = await start();
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    doubles = async (number) => {
      await held;
      return number * 2;
    };
    const answers = Array.from({ length: 20 }, (_, number) => callDouble({ number }));
    await pause(100);
    const stopped = second.stop();
    await pause(50);
    finish();
    await stopped;
    for (const [number, answer] of (await Promise.all(answers)).entries()) {
      expect(answer).toMatchObject({ ok: true, body: { data: { number: number * 2 } } });
    }
  });
});

describe('requests between services', () => {
  it('get a reply, and no reply after a failure', async () => {
    const service = await start();
    const rpc = new RpcClient(client);
    expect(await rpc.request(ping, { name: 'Ada' }, { timeoutMs: 5000, requestId: 'r' })).toEqual({ hello: 'Ada' });
    await expect(rpc.request(ping, { name: '' }, { timeoutMs: 200, requestId: 'r' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await service.stop();
    await expect(rpc.request(ping, { name: 'Ada' }, { timeoutMs: 5000, requestId: 'r' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });
});

describe('the life cycle of a service', () => {
  const getFrom = ({ port }: RunningService, path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });

  it('starts imported modules first, reports failing checks, and drains in the reverse order', async () => {
    const service = await start();
    for (const path of ['/healthz', '/livez', '/readyz']) expect((await getFrom(service, path)).status).toBe(200);
    expect(await (await getFrom(service, '/metrics')).text()).toContain('process_cpu_seconds_total');
    problem = 'out of paper';
    const notReady = await getFrom(service, '/readyz');
    expect(notReady.status).toBe(503);
    expect(await notReady.json()).toMatchObject({ error: { feature: { status: 'down', message: 'out of paper' } } });
    await service.stop();
    expect(events).toEqual(['leaf starts', 'feature starts', 'feature drains', 'leaf drains']);
    await expect(getFrom(service, '/healthz')).rejects.toThrow();
  });

  it('serves requests with /readyz at 503 until the load balancer stops sending', async () => {
    const service = await start(ProbeModule, { http: (fastify) => void fastify.get('/work', () => 'done') });
    let gone: () => void = () => undefined;
    const stopped = service.stop(new Promise<void>((resolve) => (gone = resolve)));
    const statuses = ['/readyz', '/healthz', '/work'].map(async (path) => (await getFrom(service, path)).status);
    expect(await Promise.all(statuses)).toEqual([503, 200, 200]);
    expect(events).toEqual(['leaf starts', 'feature starts']);
    gone();
    await stopped;
    await expect(getFrom(service, '/work')).rejects.toThrow();
  });

  it('stops the started parts when a module cannot start', async () => {
    await expect(start(FailingModule)).rejects.toThrow('no');
    expect(events).toEqual(['leaf starts', 'leaf drains']);
  });

  it('does not start with two handlers of one operation', async () => {
    await expect(start(TwiceModule)).rejects.toThrow('rpc.numbers.double has two handlers');
  });
});
