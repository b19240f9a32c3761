import { createLogger } from '@ams/service';
import { createTestDatabase } from '@ams/testing';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import { EventEmitter } from 'node:events';
import { WorkflowEngineSettings } from '../settings.js';
import { openJobConnections } from './job-connections.js';
import { jobSchema } from './jobs.js';
import { rememberNotifications } from './remember-notifications.js';

test('a job that a short job adds is fetched without waiting for a poll', async () => {
  const database = await createTestDatabase();
  const settings = Object.assign(new WorkflowEngineSettings(), { databaseUrl: database.urls['workflow-engine'] });
  const { pool } = openJobConnections(settings, createLogger('workflow-engine', 'silent'));
  const events: WorkerEvents = new EventEmitter();
  rememberNotifications(events);
  const listening = new Promise((resolve) =>
    // LISTEN is sent just after this event.
    events.once('pool:listen:success', ({ client }) => setImmediate(() => resolve(client.query('SELECT 1')))),
  );
  const steps = 20;
  let ended = (): void => undefined;
  const end = new Promise<void>((resolve) => (ended = resolve));
  const runner = await run({
    pgPool: pool,
    noHandleSignals: true,
    crontab: '',
    events,
    logger: new Logger(() => () => undefined),
    taskList: {
      step: async (payload, { addJob }) => {
        const { left } = payload as { left: number };
        if (left === 0) ended();
        else await addJob('step', { left: left - 1 });
      },
    },
    preset: {
      worker: {
        schema: jobSchema,
        concurrentJobs: 10,
        // Twenty polls take longer than the test may last.
        pollInterval: 30_000,
        localQueue: { size: 10, refetchDelay: { durationMs: 50, threshold: 5 } },
      },
    },
  });
  try {
    await listening;
    await runner.addJob('step', { left: steps });
    await end;
  } finally {
    await runner.stop();
    await runner.promise;
    await pool.end(); // not cut: graphile-worker still stops listening
    await database.drop();
  }
});
