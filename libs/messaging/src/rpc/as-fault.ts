/** Turns an error into the fault that the caller of an operation gets. */
import { Fault, invalid } from '@ams/contracts';
import { errors } from '@nats-io/transport-node';
import { TlsError, tlsFaultOf } from '../tls.js';

/** Error codes of PostgreSQL and of the network for which the same request may succeed later. */
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '25006',
  '25P03',
  '40001',
  '40P01',
  '53200',
  '58000',
  '58030',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '53100',
  '08000',
  '08003',
  '08006',
  '55P03',
  '57014',
]);

/** TypeORM's errors for a connection that was lost. */
const lostConnection = new Set(['QueryRunnerAlreadyReleasedError', 'QueryRunnerProviderAlreadyReleasedError']);

export function asFault(error: unknown, requestId: string): Fault {
  if (error instanceof Fault) return error;
  const code = (error as { code?: string } | null)?.code;
  const message = error instanceof Error ? error.message : '';
  if (code === '22021' || code === '22P05')
    return invalid('', 'characters', 'The request holds a character that cannot be stored (NUL).');
  const unavailable =
    (error instanceof Error && lostConnection.has(error.name)) ||
    (code !== undefined && unavailableCodes.has(code)) ||
    error instanceof errors.NoRespondersError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.ClosedConnectionError ||
    error instanceof errors.DrainingConnectionError ||
    (tlsFaultOf(error) !== null && !(error instanceof TlsError)) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message,
    );
  return unavailable ? new Fault('UNAVAILABLE', { requestId }) : new Fault('INTERNAL_ERROR', { requestId });
}
