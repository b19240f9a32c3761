// The mail server of `npm start`: accepts every mail, forwards none, and shows what it received. It exists only in the
// local installation, not in deployments.
//
//   SMTP_PORT, HTTP_PORT   its ports
//   HOST                   the address that it listens on: loopback, unless it is set (in a container)
//   MAIL_DIR               the folder for mails
import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { answer } from './pages.mjs';
import { openMails } from './mails.mjs';

const { SMTP_PORT, HTTP_PORT, MAIL_DIR, HOST: host = '127.0.0.1' } = process.env;
const maxBytes = 5 * 1024 * 1024;

const mails = openMails(MAIL_DIR);

const smtp = new SMTPServer({
  name: 'mail-catcher',
  size: maxBytes,
  authOptional: true,
  // Authentication is optional, and any credentials are accepted.
  onAuth: ({ username }, _session, done) => done(null, { user: username }),
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    const chunks = [];
    stream.on('data', (chunk) => {
      if (!stream.sizeExceeded) chunks.push(chunk);
    });
    stream.on('end', () => {
      if (stream.sizeExceeded) return done(Object.assign(new Error('the mail is too large'), { responseCode: 552 }));
      const to = session.envelope.rcptTo.map(({ address }) => address);
      mails.keep(Buffer.concat(chunks), to).then((id) => done(null, `stored as ${id}`), done);
    });
  },
});
smtp.on('error', (error) => console.error(error.message));

const http = createServer((request, response) => {
  answer(request, mails).then(
    ({ status, type, body, policy }) => {
      response.writeHead(status, {
        'content-type': type,
        'content-security-policy': policy,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    },
    (error) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});

smtp.listen(Number(SMTP_PORT), host, () => http.listen(Number(HTTP_PORT), host));

process.on('SIGTERM', () => {
  http.close();
  http.closeAllConnections();
  smtp.close(() => process.exit(0));
});
