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
  const { pool, close } = openJobConnections(settings, createLogger('workflow-engine', 'silent'));
  const events: WorkerEvents = new EventEmitter();
  rememberNotifications(events);
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
        // Longer than the test may last: only a notification leads to the next fetch.
        pollInterval: 3_600_000,
        localQueue: { size: 10, refetchDelay: { durationMs: 50, threshold: 5 } },
      },
    },
  });
  try {
    await runner.addJob('step', { left: steps });
    await end;
  } finally {
    await runner.stop();
    await runner.promise;
    close();
    await database.drop();
  }
});
