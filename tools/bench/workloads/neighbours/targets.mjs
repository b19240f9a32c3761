// Workflows that call webhooks and chats of a server that accepts connections and never answers.
import { createServer } from 'node:net';

export const what = 'targets that never answer';
export const clients = 4;

export async function prepare({ call }) {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket.resume());
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  for (let i = 0; i < 5; i++) {
    const { status } = await call('POST', '/workflows', {
      name: `n${i}`,
      trigger: { events: ['alert.created'] },
      steps: Array.from({ length: 5 }, (_, step) => ({
        id: `s${step}`,
        type: 'webhook',
        params: { url: `${url}${step}`, timeoutSeconds: 30 },
        continueOnError: true,
      })),
    });
    if (status !== 201) throw new Error(`the workflow could not be made: ${status}`);
  }
  return { server, sockets };
}

export const act = ({ send, tokens }, _prepared, n) =>
  send(tokens[n % tokens.length], { title: `n${n}`, fingerprint: `n${n}`, severity: 'low' });

export function release({ server, sockets }) {
  server.close();
  for (const socket of sockets) socket.destroy();
}
