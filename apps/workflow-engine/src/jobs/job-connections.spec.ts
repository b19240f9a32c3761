import { createLogger } from '@ams/service';
import { createTestDatabase, makeAuthority } from '@ams/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkflowEngineSettings } from '../settings.js';
import { openJobConnections } from './job-connections.js';

test('with a file of authorities, nothing is sent to a server without TLS', async () => {
  const dir = mkdtempSync(join(tmpdir(), `ams-test-${process.pid}-`));
  const sent: Buffer[] = [];
  const server = createServer((socket) =>
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        sent.push(bytes);
        socket.write('N'); // as PostgreSQL without TLS answers
      }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { caFile } = await makeAuthority(dir, 'authority');
  const settings = Object.assign(new WorkflowEngineSettings(), {
    databaseUrl: `postgres://engine:password@127.0.0.1:${port}/none`,
    databaseTlsCaFile: caFile,
  });
  const { pool, close } = openJobConnections(settings, createLogger('workflow-engine', 'silent'));
  try {
    await expect(pool.query('SELECT 1')).rejects.toThrow('The server does not support SSL connections');
    expect(Buffer.concat(sent)).toEqual(Buffer.from('0000000804d2162f', 'hex')); // SSLRequest
  } finally {
    close();
    server.close();
    rmSync(dir, { recursive: true });
  }
});

test('a connection that a runner releases twice is released once', async () => {
  const database = await createTestDatabase();
  const settings = Object.assign(new WorkflowEngineSettings(), { databaseUrl: database.urls['workflow-engine'] });
  const { pool, close } = openJobConnections(settings, createLogger('workflow-engine', 'silent'));
  try {
    await new Promise<void>((resolve, reject) =>
      pool.connect((error, _client, release) => {
        if (error) return reject(error);
        release();
        release();
        resolve();
      }),
    );
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(pool.idleCount).toBe(1);
  } finally {
    close();
    await database.drop();
  }
});

test('a runner may release a connection that it did not get in time', async () => {
  const database = await createTestDatabase();
  const settings = Object.assign(new WorkflowEngineSettings(), { databaseUrl: database.urls['workflow-engine'] });
  const { pool, close } = openJobConnections(settings, createLogger('workflow-engine', 'silent'));
  try {
    const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const error = await new Promise<Error | undefined>((resolve, reject) =>
      pool.connect((failure, _client, release) => {
        try {
          release();
          resolve(failure);
        } catch (thrown) {
          reject(thrown as Error);
        }
      }),
    );
    expect(error?.message).toMatch('timeout');
    for (const client of taken) client.release();
  } finally {
    close();
    await database.drop();
  }
});
