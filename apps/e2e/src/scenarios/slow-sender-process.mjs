// A process with many connections to one port that send as little as keeps them open. A connection that is closed is
// opened again. Arguments: the port, the number of connections, the number of addresses of this machine that they come
// from, the first of them (127.<first>.0.1). Writes a line of JSON each second: {open, closed}.
import { connect } from 'node:net';

const [port, count, addresses, first] = process.argv.slice(2).map(Number);

const token = 'A'.repeat(32);
const length = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{';
const beginnings = [
  '',
  'POST /v2/enq',
  `POST /v2/enqueue HTTP/1.1\r\n${length}`,
  `POST /api/inbound/pagerduty/v2/enqueue HTTP/1.1\r\n${length}`,
  `POST /api/inbound/webhook/${token} HTTP/1.1\r\n${length}`,
  `POST /api/v1/auth/sign-in HTTP/1.1\r\n${length}`,
  'GET /api/v1/alerts HTTP/1.1\r\nHost: x\r\n\r\n',
];

const sockets = new Set();
let closed = 0;

function open(n) {
  const localAddress = `127.${first + Math.floor((n % addresses) / 200)}.0.${1 + ((n % addresses) % 200)}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const again = () => {
    closed++;
    sockets.delete(socket);
    setTimeout(() => open(n), 1000);
  };
  socket.on('connect', () => {
    sockets.add(socket);
    socket.write(beginnings[n % beginnings.length]);
  });
  socket.on('error', () => undefined);
  socket.resume();
  socket.once('close', again);
}

for (let n = 0; n < count; n++) setTimeout(() => open(n), n / 2);
setInterval(() => {
  for (const socket of sockets) socket.write(' ');
}, 1500);
setInterval(() => process.stdout.write(`${JSON.stringify({ open: sockets.size, closed })}\n`), 1000);
