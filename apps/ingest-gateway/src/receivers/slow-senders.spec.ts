/** Senders that send slowly, and callers that guess tokens. */
import { credentialHash, newIngestToken } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { connect } from 'node:net';
import { alert, post, startWorld, type World } from '../../testing/harness.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.end());

/** Whether the text is an answer with all of its body. */
function isWhole(text: string): boolean {
  const [head = '', body] = text.split('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}

/** Sends a head with the length 1000 and the start of a body. Resolves with the answer, or when the connection ends. */
function unfinished(port: number, path: string, more = ''): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
      if (isWhole(text)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${more}Content-Length: 1000\r\n\r\n{`);
  });
}

test('a body that takes too long is answered 408 in the form of the API', async () => {
  const { port } = await world.gateway({ INGEST_BODY_TIMEOUT_SECONDS: '1' });
  const { token } = await world.integration();
  const [webhook, pagerDuty, opsgenie] = await Promise.all([
    unfinished(port, `/api/inbound/webhook/${token}`),
    unfinished(port, '/v2/enqueue'),
    unfinished(port, '/v2/alerts', `Authorization: GenieKey ${token}\r\n`),
  ]);
  expect(webhook).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n[^]*connection: close[^]*"code":"REQUEST_TIMEOUT"/);
  expect(pagerDuty).toMatch(/^HTTP\/1.1 408 [^]*"status":"invalid event"/);
  expect(opsgenie).toMatch(/^HTTP\/1.1 408 [^]*"requestId":/);
});

test('a body with the token in it has less time, and an address has few of them', async () => {
  const { port, managementUrl } = await world.gateway({
    INGEST_BODY_TIMEOUT_SECONDS: '300',
    INGEST_STRANGERS_BODY_SECONDS: '2',
    INGEST_STRANGERS_BODIES: '2',
  });
  const bodies = [1, 2, 3, 4].map(() => unfinished(port, '/v2/enqueue'));
  for (const body of bodies) expect(await body).toMatch(/^HTTP\/1.1 408 /);
  const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
  expect(metrics).toMatch(/ams_edge_refused_total\{reason="tooMany".*\} 2\n/);
  expect(metrics).toMatch(/ams_edge_refused_total\{reason="tooSlow".*\} 2\n/);
});

test('a sender is served while an address has more slow connections than are allowed', async () => {
  const { port, url, managementUrl } = await world.gateway({ WAITING_PER_ADDRESS: '20', MAX_CONNECTIONS: '1000' });
  const { token } = await world.integration();
  const slow = Array.from({ length: 60 }, () => unfinished(port, '/v2/enqueue'));
  const closed = (await Promise.all(slow.slice(0, 30))).map((text) => text.slice(0, 12));
  expect(new Set(closed)).toEqual(new Set(['HTTP/1.1 408']));
  expect((await post(url, token, alert())).status).toBe(202);
  expect(await (await fetch(`${managementUrl}/metrics`)).text()).toMatch(/reason="connectionsOfAddress".*\} [1-9]/);
});

test('while there are many connections, one whose caller is refused stays, and the next ones are served', async () => {
  const { port, url } = await world.gateway({ MAX_CONNECTIONS: '100' });
  const { token } = await world.integration();
  const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1'));
  const refused = ['nonsense\r\n\r\n', 'POST /v2/alerts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'];
  const answers = refused.map(() => '');
  const callers = refused.map((_, n) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (data) => (answers[n] += data.toString()));
    return socket;
  });
  for (const [n, caller] of callers.entries()) caller.write(refused[n]!);
  await eventually(() => expect(answers.map((text) => text.slice(9, 12))).toEqual(['400', '401']));
  for (const caller of callers) caller.write('more nonsense\r\n');
  expect((await post(url, token, alert())).status).toBe(202);
  expect(callers.map(({ readyState }) => readyState)).toEqual(['open', 'open']);
  expect(answers.map((text) => text.split('HTTP/1.1').length)).toEqual([2, 2]);
  for (const socket of [...sockets, ...callers]) socket.destroy();
});

test('many wrong tokens of an address are answered 429 without a request to NATS; known ones are served', async () => {
  const { url } = await world.gateway({ FAILURES_PER_ADDRESS: '3', TRUST_PROXY: 'true' });
  const { token } = await world.integration();
  const asked: string[] = [];
  const subscription = world.connection.subscribe('$JS.API.>', {
    callback: (_error, message) => void asked.push(`${message.subject} ${message.string()}`),
  });
  await world.connection.flush();
  const askedFor = (wrong: string) => asked.some((request) => request.includes(credentialHash(wrong)));
  const from = (address: string) => ({ 'content-type': 'application/json', 'x-forwarded-for': `10.9.9.9, ${address}` });
  const send = (wrong: string, address = '192.0.2.1') => post(url, wrong, alert(), from(address));

  await eventually(async () => expect((await send(token)).status).toBe(202));
  const wrong = [newIngestToken(), newIngestToken(), 'malformed'];
  for (const one of wrong) expect((await send(one)).status).toBe(401);
  await eventually(() => expect(askedFor(wrong[0]!)).toBe(true));

  const another = newIngestToken();
  const limited = await send(another);
  expect([limited.status, limited.body.code, limited.headers.get('retry-after')]).toEqual([
    429,
    'RATE_LIMITED',
    expect.stringMatching(/^\d+$/),
  ]);
  const event = await fetch(`${url}/v2/enqueue`, {
    method: 'POST',
    headers: from('192.0.2.1'),
    body: JSON.stringify({ routing_key: another, event_action: 'trigger', payload: {} }),
  });
  expect([event.status, ((await event.json()) as { status: string }).status]).toEqual([429, 'throttle exceeded']);
  expect((await send(token)).status).toBe(202);
  expect((await send(newIngestToken(), '192.0.2.2')).status).toBe(401);
  expect(askedFor(another)).toBe(false);
  subscription.unsubscribe();
});
