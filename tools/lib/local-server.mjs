// A small HTTP server on this machine, for trials and benchmarks: what is scraped, or what gets messages.
import { createServer } from 'node:http';

/** `{ url, port, stop() }`. The port is a free one; `stop` ends open connections. */
export async function startLocalServer(answer) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
