import { newApiKey, newIngestToken } from '@ams/contracts';
import { IsInt, Max, Min } from 'class-validator';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, withoutCredentials } from './log.js';
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
  test('have defaults and types, and an empty variable counts as not set', () => {
    expect(readSettings(Own, {})).toMatchObject({ own: 3, onOff: false, httpPort: 3000 });
    expect(readSettings(Own, { OWN_NUMBER: '7', OWN_SWITCH: 'true', HTTP_PORT: '' })).toMatchObject({
      own: 7,
      onOff: true,
      httpPort: 3000,
    });
  });

  test('are read from their old name when the new one is not set', () => {
    class Renamed extends ServiceSettings {
      @Setting('NEW_NAME', 'A number.', { formerly: 'OLD_NAME' })
      own: number = 3;
    }
    expect(readSettings(Renamed, { OLD_NAME: '5' })).toMatchObject({ own: 5 });
    expect(readSettings(Renamed, { NEW_NAME: '7', OLD_NAME: '5' })).toMatchObject({ own: 7 });
    expect(readSettings(Renamed, { NEW_NAME: '', OLD_NAME: '' })).toMatchObject({ own: 3 });
  });

  test('report every invalid variable, without its value', () => {
    const wrong = () => readSettings(Own, { OWN_NUMBER: 'many', HTTP_PORT: '99999', NATS_PASSWORD: 'hunter2' });
    expect(wrong).toThrow(SettingsError);
    expect(wrong).toThrow(/OWN_NUMBER.*/);
    expect(wrong).toThrow(/HTTP_PORT/);
    expect(wrong).not.toThrow(/hunter2/);
    expect(() => readSettings(DatabaseSettings, {})).toThrow(/DATABASE_URL/);
  });

  describe('in files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ams-settings-'));
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    afterAll(() => rmSync(folder, { recursive: true }));

    test('are read without the line break at the end, and before the variable itself', () => {
      const environment = {
        NATS_PASSWORD: 'other',
        NATS_PASSWORD_FILE: file('password', ' hunter 2 \n'),
        OWN_NUMBER_FILE: file('number', '7\r\n'),
        HTTP_PORT_FILE: '',
      };
      expect(readSettings(Own, environment)).toMatchObject({ natsPassword: ' hunter 2 ', own: 7, httpPort: 3000 });
    });

    test('that are missing, empty, too large or wrong are reported with their names, all at once', () => {
      const wrong = () =>
        readSettings(DatabaseSettings, {
          DATABASE_URL_FILE: join(folder, 'missing'),
          NATS_PASSWORD_FILE: file('empty', '\n'),
          NATS_USER_FILE: file('large', 'x'.repeat(100_000)),
          HTTP_PORT_FILE: file('port', 'hunter2'),
        });
      expect(wrong).toThrow(SettingsError);
      expect(wrong).toThrow(/DATABASE_URL_FILE: \S+missing cannot be read \(ENOENT\)/);
      expect(wrong).not.toThrow(/DATABASE_URL: /);
      expect(wrong).toThrow(/NATS_PASSWORD_FILE: \S+empty is empty/);
      expect(wrong).toThrow(/NATS_USER_FILE: \S+large is too large/);
      expect(wrong).toThrow(/HTTP_PORT: /);
      expect(wrong).not.toThrow(/hunter2/);
    });
  });

  test('have a description each', () => {
    for (const { variable, sentence } of settingsOf(DatabaseSettings))
      expect([variable, sentence]).toEqual([expect.stringMatching(/^[A-Z_]+$/), expect.stringMatching(/\.$/)]);
  });
});

test('credentials never appear in a log line', () => {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line: string) => lines.push(line) });
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
