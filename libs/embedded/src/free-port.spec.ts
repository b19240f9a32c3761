import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort, requireFreePort } from './free-port.js';

describe('a free port', () => {
  it('is given once, and is not one that the system gives to outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 500 }, () => freePort()));
    expect(new Set(ports).size).toBe(500);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(15_000);
    expect(Math.max(...ports)).toBeLessThan(32_768);
    await requireFreePort(ports[0] ?? 0, 'a test');
  });

  it('is refused with the reason when somebody listens on it', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await expect(requireFreePort(port, 'a test')).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      message: expect.stringContaining(`a test: cannot listen on 127.0.0.1:${port}`),
    });
    server.close();
  });

  it('is awaited while the last processes of an earlier server hold it', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const free = requireFreePort(port, 'a test');
    setTimeout(() => server.close(), 200);
    await expect(free).resolves.toBeUndefined();
  });
});
