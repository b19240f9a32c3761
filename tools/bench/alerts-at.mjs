// A load of alerts, all different, at a fixed rate.
import { ownPayload } from './bodies.mjs';
import { load } from './client.mjs';
import { targetsOf } from './seed.mjs';

/** One alert a request, `rate` requests a second, to these tokens in turn. */
export const alertsAt = (ours, tokens, rate, seconds) =>
  load({
    method: 'POST',
    port: ours.services['ingest-gateway'].port,
    targets: targetsOf(tokens),
    body: ownPayload,
    expected: 202,
    rate,
    seconds,
    connections: 64,
  });
