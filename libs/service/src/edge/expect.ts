/**
 * Requests with an `Expect` header (RFC 9110 §10.1.1). They reach the listeners for `request` like all others, and the
 * caller is told to send its body when somebody begins to read it: after its key or token was accepted. Without this,
 * Node asks for the body at once, and answers 417 to an expectation that it does not know.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export function acceptExpectations(server: Server): void {
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response));
}

/** Whether Node has emitted `checkContinue` for it. HTTP/1.0 has no interim answers. */
export const waitsForContinue = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.expect !== undefined && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect);
