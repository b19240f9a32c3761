/**
 * What the NATS server must be, checked when a service starts: a server with other settings would work until the first
 * large message. The limit of the messages may change with a reconnection, so `/readyz` checks it again.
 */
import { JetStreamApiError } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { managerOf, NatsServerError } from './streams.js';

/** The size in bytes of the largest message that the server must accept. */
export const requiredMaxPayload = 8 * 1024 * 1024;

/** What is wrong with the server that is connected now; `null` when it is right or NATS is disconnected. */
export function faultOfServer(connection: NatsConnection): string | null {
  const limit = connection.info?.max_payload;
  if (limit === undefined || limit >= requiredMaxPayload) return null;
  return (
    `the NATS server accepts messages of ${limit} bytes and must accept ${requiredMaxPayload}: ` +
    `set "max_payload: ${requiredMaxPayload}" in its configuration`
  );
}

/**
 * Throws NatsServerError when the server cannot be used with its settings. Without an answer nothing is known, and the
 * service starts: its own requests to NATS fail and are repeated.
 */
export async function requireServer(connection: NatsConnection): Promise<void> {
  const fault = faultOfServer(connection);
  if (fault) throw new NatsServerError(fault);
  try {
    await (await managerOf(connection)).getAccountInfo();
  } catch (error) {
    if (isWithoutJetStream(error))
      throw new NatsServerError(
        'the NATS server has no JetStream: add "jetstream { store_dir: … }" to its configuration',
      );
  }
}

/** JetStream is not enabled for the server (10076) or for the account. The client does not export its error class. */
const isWithoutJetStream = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'JetStreamNotEnabled') ||
  (error instanceof JetStreamApiError && error.apiError().err_code === 10076);
