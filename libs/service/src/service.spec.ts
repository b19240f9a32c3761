import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newApiKey, newIngestToken } from '@ams/contracts';
import { removeState, startNats, type EmbeddedNats } from '@ams/embedded';
import { Injectable } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';
import { createLog, withoutCredentials } from './log.js';
import { startService, type Part } from './run.js';
import { DatabaseSettings, readSettings, ServiceSettings, Setting, settingsOf, SettingsError } from './settings.js';

class Own extends ServiceSettings {
  @Setting('OWN_NUMBER', 'A number.')
  @IsInt()
  @Min(1)
  @Max(9)
  own: number = 3;

  @Setting('OWN_SWITCH', 'A switch.')
  onOff: boolean = false;
}

describe('settings', () => {
  test('have defaults, are read by their type, and an empty variable is none', () => {
    expect(readSettings(Own, {})).toMatchObject({ own: 3, onOff: false, httpPort: 3000 });
    expect(readSettings(Own, { OWN_NUMBER: '7', OWN_SWITCH: 'true', HTTP_PORT: '' })).toMatchObject({
      own: 7,
      onOff: true,
      httpPort: 3000,
    });
  });

  test('are read by their old name when the new one is not set', () => {
    class Renamed extends ServiceSettings {
      @Setting('NEW_NAME', 'A number.', { formerly: 'OLD_NAME' })
      own: number = 3;
    }
    expect(readSettings(Renamed, { OLD_NAME: '5' })).toMatchObject({ own: 5 });
    expect(readSettings(Renamed, { NEW_NAME: '7', OLD_NAME: '5' })).toMatchObject({ own: 7 });
    expect(readSettings(Renamed, { NEW_NAME: '', OLD_NAME: '' })).toMatchObject({ own: 3 });
  });

  test('name every variable that is wrong, and never its value', () => {
    const wrong = () => readSettings(Own, { OWN_NUMBER: 'many', HTTP_PORT: '99999', NATS_PASSWORD: 'hunter2' });
    expect(wrong).toThrow(SettingsError);
    expect(wrong).toThrow(/OWN_NUMBER.*/);
    expect(wrong).toThrow(/HTTP_PORT/);
    expect(wrong).not.toThrow(/hunter2/);
    expect(() => readSettings(DatabaseSettings, {})).toThrow(/DATABASE_URL/);
  });

  test('each has a sentence', () => {
    for (const { variable, sentence } of settingsOf(DatabaseSettings))
      expect([variable, sentence]).toEqual([expect.stringMatching(/^[A-Z_]+$/), expect.stringMatching(/\.$/)]);
  });
});

test('no credential gets into a log line, wherever it stands', () => {
  const lines: string[] = [];
  const log = createLog('test', 'info', { write: (line: string) => lines.push(line) });
  const secrets = [newApiKey('live'), newApiKey('test'), newIngestToken(), 'hunter2hunter2'];
  const [live, test, token, password] = secrets as [string, string, string, string];
  log.info(
    { url: `/api/inbound/webhook/${token}?x=1`, authorization: `Bearer ${live}`, nested: { password, key: test } },
    `used ${live}`,
  );
  log.error({ err: new Error(`connect postgres://user:${password}@host/db failed for Bearer ${test}`) }, 'failed');
  for (const secret of secrets) expect(lines.join('')).not.toContain(secret);
  expect(lines.join('')).toContain('host/db');
  expect(withoutCredentials('x'.repeat(200_000))).toHaveLength(200_000);
});

describe('the life of a service', () => {
  let nats: EmbeddedNats;
  let dir: string;
  const happened: string[] = [];
  let trouble: string | null = null;

  @Injectable()
  class First implements Part {
    async start(): Promise<void> {
      happened.push('first starts');
    }
    async drain(): Promise<void> {
      happened.push('first drains');
    }
  }
  @Injectable()
  class Second implements Part {
    async start(): Promise<void> {
      happened.push('second starts');
    }
    trouble(): string | null {
      return trouble;
    }
    async drain(): Promise<void> {
      happened.push('second drains');
    }
  }
  @Injectable()
  class Failing implements Part {
    async start(): Promise<void> {
      throw new Error('no');
    }
  }

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'ams-service-'));
    nats = await startNats({ dir, durable: false });
  });
  afterAll(async () => {
    await nats.stop();
    removeState(dir);
  });

  const settings = () =>
    Object.assign(new ServiceSettings(), { httpHost: '127.0.0.1', httpPort: 0, natsUrl: nats.url });
  const silent = createLog('test', 'silent');

  test('parts start in order, say what is missing, and drain from the end', async () => {
    const { port, stop } = await startService(
      { name: 'test', settings: ServiceSettings, providers: [First, Second], parts: [First, Second] },
      settings(),
      silent,
    );
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return [response.status, await response.text()] as const;
    };
    expect((await get('/healthz'))[0]).toBe(200);
    expect((await get('/readyz'))[0]).toBe(200);
    expect((await get('/metrics'))[1]).toContain('process_cpu_seconds_total');
    trouble = 'the cellar is wet';
    expect(await get('/readyz')).toEqual([503, expect.stringContaining('the cellar is wet')]);
    trouble = null;
    await stop();
    expect(happened).toEqual(['first starts', 'second starts', 'second drains', 'first drains']);
    await expect(get('/healthz')).rejects.toThrow();
  });

  test('one that is to stop goes on serving until no balancer sends it anything', async () => {
    happened.length = 0;
    const { port, stop } = await startService(
      {
        name: 'test',
        settings: ServiceSettings,
        providers: [First],
        parts: [First],
        routes: (http) => void http.get('/work', () => 'done'),
      },
      settings(),
      silent,
    );
    const get = async (path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })).status;
    let gone: () => void = () => undefined;
    const stopped = stop(new Promise<void>((resolve) => (gone = resolve)));
    expect([await get('/readyz'), await get('/healthz'), await get('/work')]).toEqual([503, 200, 200]);
    expect(happened).toEqual(['first starts']);
    gone();
    await stopped;
    expect(happened).toEqual(['first starts', 'first drains']);
    await expect(get('/work')).rejects.toThrow();
  });

  test('when a part cannot start, those before it are stopped again', async () => {
    happened.length = 0;
    await expect(
      startService(
        { name: 'test', settings: ServiceSettings, providers: [First, Failing], parts: [First, Failing] },
        settings(),
        silent,
      ),
    ).rejects.toThrow('no');
    expect(happened).toEqual(['first starts', 'first drains']);
  });
});
