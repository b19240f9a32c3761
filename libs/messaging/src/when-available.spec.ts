import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { Logger } from './index.js';
import { whenAvailable } from './when-available.js';

class TestLogger extends Logger {
  override isLevelEnabled = (): boolean => true;
  override trace(): void {}
  override fatal(): void {}
  readonly warnings: string[] = [];
  override warn(_facts: object, message: string): void {
    this.warnings.push(message);
  }
  override debug(): void {}
  override info(): void {}
  override error(): void {}
}

/** Fails with these errors, then ends. */
function failing(...failures: Error[]): () => Promise<string> {
  return async () => {
    const failure = failures.shift();
    if (failure) throw failure;
    return 'done';
  };
}

const ofServer = (code: number, err_code: number): Error =>
  new JetStreamApiError({ code, err_code, description: 'no suitable peers for placement' });

test.each<[string, Error]>([
  ['NATS does not answer', new errors.TimeoutError()],
  ['a cluster has not enough servers', ofServer(400, 10005)],
  ['a cluster has no leader', ofServer(503, 10008)],
  ['the database accepts no connection in time', new Error('Connection terminated due to connection timeout')],
])('waits while %s', async (_name, failure) => {
  const log = new TestLogger();
  expect(await whenAvailable(log, failing(failure))).toBe('done');
  expect(log.warnings).toHaveLength(1);
});

test.each<[string, Error]>([
  ['a setting is wrong', ofServer(400, 10052)],
  ['the server has not enough storage', ofServer(503, 10023)],
])('does not wait when %s', async (_name, failure) => {
  await expect(whenAvailable(new TestLogger(), failing(failure))).rejects.toBe(failure);
});
