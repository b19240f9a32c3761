// A process with many connections to the stream of events. Messages: {open: {port, keys, count}} → {opened}, {reset} and
// {report} → {events, delays, lost}. The title of an alert is the time at which its sender sent it, in milliseconds.
import { Agent, get } from 'node:http';

let events = 0;
let delays = [];
let lost = 0;

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

function connect(port, key) {
  return new Promise((resolve, reject) => {
    const request = get(
      {
        port,
        host: '127.0.0.1',
        path: '/api/v1/stream?types=alert.created',
        agent,
        headers: { authorization: `Bearer ${key}` },
      },
      (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`the stream answered ${answer.statusCode}`));
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => {
          const at = Date.now();
          text += chunk;
          const blocks = text.split('\n\n');
          text = blocks.pop();
          for (const block of blocks) {
            const sent = /"title":"(\d{13})/.exec(block)?.[1];
            if (sent === undefined) continue;
            events++;
            delays.push(at - Number(sent));
          }
        });
        answer.on('close', () => lost++);
        resolve();
      },
    );
    request.on('error', reject);
  });
}

async function open({ port, keys, count }) {
  const connections = Array.from({ length: count }, (_, n) => keys[n % keys.length]);
  for (let at = 0; at < connections.length; at += 50)
    await Promise.all(connections.slice(at, at + 50).map((key) => connect(port, key)));
}

process.on('message', async (message) => {
  try {
    if (message.open) {
      await open(message.open);
      process.send({ opened: true });
    } else if (message.reset) {
      events = 0;
      delays = [];
    } else {
      delays.sort((a, b) => a - b);
      const quantile = (part) => delays[Math.min(delays.length - 1, Math.floor(part * delays.length))] ?? null;
      process.send({ events, lost, p50: quantile(0.5), p99: quantile(0.99), most: quantile(1) });
    }
  } catch (error) {
    process.send({ failed: error.message });
  }
});
process.on('disconnect', () => process.exit());
