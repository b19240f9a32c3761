// A process with many connections that never send a whole request, from several addresses of this machine. Messages:
// {open: {port, count, addresses}} → {opened}; {report} → {open, closed}. A connection that the server closes is opened
// again. A byte follows every 1.5 s.
import { connect } from 'node:net';

const everyMs = 1500;
const opening = 200;

/** What the connections have sent when they begin to wait: each way in which a request can be unfinished. */
const beginnings = [
  '',
  'GET /api/v1/alerts HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  'POST /v2/enqueue HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{',
  'POST /v2/alerts HTTP/1.1\r\nHost: x\r\nAuthorization: GenieKey 00000000-0000-0000-0000-000000000000\r\n' +
    'Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{',
  'POST /api/inbound/webhook/none HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
];

const sockets = new Set();
let closed = 0;
let serial = 0;

function hold(job) {
  const n = serial++;
  const socket = connect({ port: job.port, host: '127.0.0.1', localAddress: job.addresses[n % job.addresses.length] });
  sockets.add(socket);
  socket.on('connect', () => socket.write(beginnings[n % beginnings.length]));
  socket.on('data', () => undefined);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    sockets.delete(socket);
    closed++;
    setTimeout(() => hold(job), everyMs);
  });
}

process.on('message', async (message) => {
  if (message.open) {
    const { open: job } = message;
    for (let opened = 0; opened < job.count; opened += opening) {
      for (let n = 0; n < Math.min(opening, job.count - opened); n++) hold(job);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    let turn = 0;
    // A part of the connections at a time, so that this process does not use up the machine by itself.
    setInterval(() => {
      turn = (turn + 1) % 15;
      let index = 0;
      for (const socket of sockets) if (index++ % 15 === turn && socket.writable) socket.write('x');
    }, everyMs / 15);
    process.send({ opened: true });
  } else {
    process.send({ open: [...sockets].filter(({ readyState }) => readyState === 'open').length, closed });
    closed = 0;
  }
});
process.on('disconnect', () => process.exit());
