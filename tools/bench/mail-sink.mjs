// A mail server that keeps only when it received each mail, by its subject. The mail catcher of `npm start` keeps the
// newest 200 mails; a storm may cause more. It greets at once, as real servers do not: how often the notifier opened a
// connection is not to be measured.
import { createServer } from 'node:net';

const replies = {
  EHLO: '250 mail-sink',
  HELO: '250 mail-sink',
  MAIL: '250 OK',
  RCPT: '250 OK',
  RSET: '250 OK',
  NOOP: '250 OK',
  DATA: '354 end with a line of one dot',
  QUIT: '221 bye',
};
const endOfMail = '\r\n.\r\n';

export async function startMailSink() {
  /** Milliseconds since 1970, by subject: the first mail. */
  const receivedAt = new Map();
  let count = 0;
  const received = (mail) => {
    const [, subject = ''] = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(mail) ?? [];
    const text = subject.replace(/\r\n[ \t]/g, ' ');
    count++;
    if (!receivedAt.has(text)) receivedAt.set(text, Date.now());
  };
  const sockets = new Set();
  const server = createServer((socket) => {
    let text = '';
    let isMail = false;
    sockets.add(socket);
    socket.setEncoding('latin1').on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      text += data;
      for (;;) {
        const end = text.indexOf(isMail ? endOfMail : '\r\n');
        if (end < 0) return;
        const part = text.slice(0, end);
        text = text.slice(end + (isMail ? endOfMail.length : 2));
        const command = part.slice(0, 4).toUpperCase();
        if (isMail) received(part);
        socket.write(`${isMail ? '250 OK' : (replies[command] ?? '502 not a command of this server')}\r\n`);
        isMail = !isMail && command === 'DATA';
        if (command === 'QUIT' && !isMail) socket.end();
      }
    });
    socket.write('220 mail-sink\r\n');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    mail: { url: `smtp://127.0.0.1:${server.address().port}`, from: 'alerts@example.com' },
    /** When the first mail came whose subject contains the text; null: none has come. */
    firstAbout: (text) => [...receivedAt].find(([subject]) => subject.includes(text))?.[1] ?? null,
    get count() {
      return count;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy();
      }),
  };
}
