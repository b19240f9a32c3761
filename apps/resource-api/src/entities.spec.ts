import { createTestDatabase, schemaDifference, type MigratedDatabase } from '@ams/testing';
import { ScheduleOverrideEntity } from './schedules/schedule-override.entity.js';
import { ScheduleEntity } from './schedules/schedule.entity.js';
import { SuppressionWindowEntity } from './suppression/suppression-window.entity.js';
import { WorkflowEntity } from './workflows/workflow.entity.js';

let own: MigratedDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own?.drop());

it('describe their tables as the migrations made them', async () => {
  expect(await schemaDifference(own.url, [ScheduleEntity, ScheduleOverrideEntity, SuppressionWindowEntity, WorkflowEntity])).toEqual([]);
});
