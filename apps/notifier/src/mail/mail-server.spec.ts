/** Mails to a real SMTP server: what arrives there, and what its replies mean. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { eventually } from '@ams/testing';
import { certificateFor } from '../../testing/certificate.js';
import { startMailbox, type Mailbox } from '../../testing/mailbox.js';
import { alert, hostilePieces, named, notice } from '../../testing/notices.js';
import { NotifierSettings } from '../settings.js';
import { MailServer } from './mail-server.js';
import { emailMessage } from '../channels/email.js';

const from = 'Alerts <alerts@alerts.example.com>';
const message = (fields: Parameters<typeof notice>[0] = {}, name: string | null = 'Ann') =>
  emailMessage('ntf_1', { address: 'ann@example.com', name }, notice(fields), from);

let open: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of open.reverse()) await one.stop();
  open = [];
});

async function mailbox(...args: Parameters<typeof startMailbox>): Promise<Mailbox> {
  const started = await startMailbox(...args);
  open.push(started);
  return started;
}

function mailServer(smtpUrl: string, { connections = 1, timeoutMs = 5000 } = {}): MailServer {
  const settings = { smtpUrl, mailFrom: from, mailConnections: connections, mailTimeoutSeconds: timeoutMs / 1000 };
  return new MailServer(Object.assign(new NotifierSettings(), settings));
}

function server(port: number, { user = '', timeoutMs = 5000, scheme = 'smtp' } = {}): MailServer {
  const made = mailServer(`${scheme}://${user}127.0.0.1:${port}`, { connections: 2, timeoutMs });
  open.push({ stop: () => made.onApplicationShutdown() });
  return made;
}

/** An error reply of an SMTP server. */
const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

test('a mail arrives complete, in text and HTML', async () => {
  const box = await mailbox();
  const outcome = await server(box.port).send(message({ alert: alert({ title: 'Speicher läuft voll — 98 %' }) }));
  expect(outcome).toMatchObject({
    reply: { kind: 'sent', detail: expect.stringMatching(/^250 /) as string },
    code: '250',
  });
  const [{ from: sender, to, headers, text, html }] = box.mails as [Mailbox['mails'][0]];
  expect([sender, to]).toEqual(['alerts@alerts.example.com', ['ann@example.com']]);
  expect(Object.fromEntries(headers)).toMatchObject({
    from: 'Alerts <alerts@alerts.example.com>',
    to: 'Ann <ann@example.com>',
    subject: '[CRITICAL] Speicher läuft voll — 98 % — Acme',
    'message-id': '<ntf_1@alerts.example.com>',
    'in-reply-to': `<${alert().id}@alerts.example.com>`,
    references: `<${alert().id}@alerts.example.com>`,
    'x-entity-ref-id': alert().id,
    'auto-submitted': 'auto-generated',
    importance: 'High',
  });
  expect(headers.get('content-type')).toMatch(/^multipart\/alternative/);
  expect(text).toContain('Speicher läuft voll — 98 %\nSeverity: critical');
  expect(html).toContain('Speicher läuft voll — 98 %</h1>');
});

describe('in a hostile notice', () => {
  let box: Mailbox;
  let mails: MailServer;
  beforeAll(async () => {
    box = await startMailbox();
    mails = mailServer(`smtp://127.0.0.1:${box.port}`);
  });
  afterAll(async () => {
    mails.onApplicationShutdown();
    await box.stop();
  });

  test.each(named(hostilePieces))(
    '%s gets into no header, no other mail and no other mailbox',
    async (_name, piece) => {
      const fields = {
        subject: piece,
        alert: alert({ title: piece, description: piece, labels: { [piece]: piece } }),
        clientName: piece,
        reason: piece,
      };
      const before = box.mails.length;
      expect((await mails.send(message(fields, piece))).result).toBe('sent');
      expect(box.mails.length).toBe(before + 1);
      const { to, headers, raw } = box.mails.at(-1)!;
      expect(to).toEqual(['ann@example.com']);
      expect([...headers.keys()].sort()).toEqual([
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'importance',
        'in-reply-to',
        'message-id',
        'mime-version',
        'references',
        'subject',
        'to',
        'x-auto-response-suppress',
        'x-entity-ref-id',
        'x-msmail-priority',
        'x-priority',
      ]);
      for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
    },
  );
});

test('connections are reused', async () => {
  const box = await mailbox();
  const mails = server(box.port);
  for (let n = 0; n < 3; n++) expect((await mails.send(message())).result).toBe('sent');
  expect([box.mails.length, box.connections]).toEqual([3, 1]);
});

test('a connection that the server has closed is replaced', async () => {
  const first = await mailbox();
  const mails = server(first.port);
  await mails.send(message());
  await first.stop();
  const second = await mailbox({}, first.port);
  expect((await mails.send(message())).result).toBe('sent');
  expect(second.mails.length).toBe(1);
});

test('the password is sent when the server requires authentication', async () => {
  const box = await mailbox({
    authOptional: false,
    onAuth: ({ username, password }, _session, callback) =>
      username === 'ann' && password === 'p@ss' ? callback(null, { user: 'ann' }) : callback(refusal(535, 'no')),
  });
  expect((await server(box.port, { user: 'ann:p%40ss@' }).send(message())).result).toBe('sent');
  const wrong = await server(box.port, { user: 'ann:wrong@' }).send(message());
  expect(wrong).toMatchObject({ result: 'retry', blame: 'relay', code: '535' });
  expect(JSON.stringify(wrong)).not.toContain('wrong');
});

describe('the reply of the server', () => {
  test.each([
    [
      'to the recipient: 550',
      { onRcptTo: (_address, _session, callback) => callback(refusal(550, 'no such user')) },
      'failed',
      'none',
      '550',
    ],
    [
      'to the recipient: 450',
      { onRcptTo: (_address, _session, callback) => callback(refusal(450, 'greylisted')) },
      'retry',
      'target',
      '450',
    ],
    [
      'to the recipient: 421',
      { onRcptTo: (_address, _session, callback) => callback(refusal(421, 'going down')) },
      'retry',
      'relay',
      '421',
    ],
    [
      'to the sender: 553',
      { onMailFrom: (_address, _session, callback) => callback(refusal(553, 'not from you')) },
      'failed',
      'none',
      '553',
    ],
    [
      'to the sender: 452',
      { onMailFrom: (_address, _session, callback) => callback(refusal(452, 'disk full')) },
      'retry',
      'relay',
      '452',
    ],
    [
      'to the mail: 554',
      { onData: (stream, _session, callback) => void stream.resume().on('end', () => callback(refusal(554, 'spam'))) },
      'failed',
      'none',
      '554',
    ],
    [
      'to the mail: 451',
      { onData: (stream, _session, callback) => void stream.resume().on('end', () => callback(refusal(451, 'later'))) },
      'retry',
      'target',
      '451',
    ],
    [
      'to the connection: 554',
      { onConnect: (_session, callback) => callback(refusal(554, 'go away')) },
      'retry',
      'relay',
      '554',
    ],
  ] as [string, Parameters<typeof startMailbox>[0], string, string, string][])(
    '%s',
    async (_what, options, result, blame, code) => {
      const box = await mailbox(options);
      expect(await server(box.port).send(message())).toMatchObject({ result, blame, code });
    },
  );

  test('after a refusal the next mail is sent normally', async () => {
    let refuse = true;
    const box = await mailbox({
      onRcptTo: (_address, _session, callback) => callback(refuse ? refusal(550, 'no such user') : null),
    });
    const mails = server(box.port);
    expect((await mails.send(message())).result).toBe('failed');
    refuse = false;
    expect((await mails.send(message())).result).toBe('sent');
  });
});

describe('a server that cannot be reached or does not answer', () => {
  async function silent(work: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const listener = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      work(socket);
    });
    await new Promise<void>((ready) => listener.listen(0, '127.0.0.1', ready));
    open.push({
      stop: () => {
        listener.close();
        for (const socket of sockets) socket.destroy();
      },
    });
    return (listener.address() as AddressInfo).port;
  }

  test('the connection is refused', async () => {
    expect(await server(1).send(message())).toMatchObject({ result: 'retry', blame: 'relay' });
  });

  test.each([
    ['says nothing', () => undefined],
    ['greets and says nothing more', (socket: Socket) => void socket.write('220 hello\r\n')],
    [
      'greets word by word',
      (socket: Socket) => {
        const timer = setInterval(() => socket.write('220-still greeting\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
    ['closes', (socket: Socket) => void socket.destroy()],
    ['answers with HTTP', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n')],
  ])('one that %s', async (_what, work) => {
    const started = await silent(work);
    expect(await server(started, { timeoutMs: 300 }).send(message())).toMatchObject({
      result: 'retry',
      blame: 'relay',
    });
  });

  test('mails are sent again when the server is back', async () => {
    const box = await mailbox();
    await box.stop();
    const mails = server(box.port);
    expect((await mails.send(message())).result).toBe('retry');
    const back = await mailbox({}, box.port);
    await eventually(async () => expect((await mails.send(message())).result).toBe('sent'));
    expect(back.mails.length).toBeGreaterThan(0);
  });
});

describe('TLS', () => {
  const { cert, key } = certificateFor('mail.test');

  test.each([
    ['from the start', { secure: true }, 'smtps'],
    ['offered', { disabledCommands: [] }, 'smtp'],
  ])('%s, with a certificate that is not trusted: no mail is sent', async (_what, options, scheme) => {
    const box = await mailbox({ ...options, cert, key });
    expect(await server(box.port, { scheme }).send(message())).toMatchObject({ result: 'retry', blame: 'relay' });
    expect(box.mails).toEqual([]);
  });

  test('a password is sent to another machine only with TLS', async () => {
    let passwords = 0;
    const box = await mailbox({
      onAuth: (_auth, _session, callback) => {
        passwords++;
        callback(null, { user: 'ann' });
      },
    });
    // It is this machine, but its name is not one of the known names of this machine. The server offers no TLS.
    const elsewhere = mailServer(`smtp://ann:secret@0.0.0.0:${box.port}`, { timeoutMs: 2000 });
    open.push({ stop: () => elsewhere.onApplicationShutdown() });
    expect(await elsewhere.send(message())).toMatchObject({ result: 'retry', blame: 'relay' });
    expect([box.connections, passwords]).toEqual([1, 0]);
    expect(box.mails).toEqual([]);
  });
});

test.each(['jörg@example.com', 'ann@bücher.example'])('a mail to %s arrives', async (address) => {
  const box = await mailbox();
  const mail = emailMessage('ntf_1', { address, name: null }, notice(), from);
  expect(await server(box.port).send(mail)).toMatchObject({ reply: { kind: 'sent' } });
  expect(box.mails.map(({ to }) => to)).toEqual([[address]]);
});
