// A mail server that keeps only when it received each mail, by its subject. The mail catcher of `npm start` keeps the
// newest 200 mails; a storm may cause more.
import { SMTPServer } from 'smtp-server';
import * as embedded from '@ams/embedded';

export async function startMailSink() {
  /** Milliseconds since 1970, by subject: the first mail. */
  const receivedAt = new Map();
  let count = 0;
  const server = new SMTPServer({
    name: 'mail-sink',
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const chunks = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => {
        const [, subject = ''] = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(Buffer.concat(chunks).toString()) ?? [];
        const text = subject.replace(/\r\n[ \t]/g, ' ');
        count++;
        if (!receivedAt.has(text)) receivedAt.set(text, Date.now());
        done();
      });
    },
  });
  server.on('error', (error) => console.error(error.message));
  const port = await embedded.freePort();
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    mail: { url: `smtp://127.0.0.1:${port}`, from: 'alerts@example.com' },
    /** When the first mail came whose subject contains the text; null: none has come. */
    firstAbout: (text) => [...receivedAt].find(([subject]) => subject.includes(text))?.[1] ?? null,
    get count() {
      return count;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
