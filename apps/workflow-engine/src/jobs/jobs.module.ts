import { heartbeatDatabase } from '@ams/persistence';
import { Module } from '@nestjs/common';
import { WorkflowEngineSettings } from '../settings.js';
import { JobRunner } from './job-runner.js';

/** Less than half of the time after which the jobs of a silent replica are given to others. */
const heartbeatTimeoutMs = 2000;

@Module({
  providers: [heartbeatDatabase('workflow-engine', WorkflowEngineSettings, () => heartbeatTimeoutMs), JobRunner],
  exports: [JobRunner],
})
export class JobsModule {}
