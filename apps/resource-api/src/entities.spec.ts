import { createTestDatabase, schemaDifference, type MigratedDatabase } from '@ams/testing';
import { ScheduleOverride } from './schedules/schedule-override.entity.js';
import { Schedule } from './schedules/schedule.entity.js';
import { SuppressionWindow } from './suppression/suppression-window.entity.js';
import { Workflow } from './workflows/workflow.entity.js';

let own: MigratedDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own?.drop());

it('describe their tables as the migrations made them', async () => {
  expect(await schemaDifference(own.url, [Schedule, ScheduleOverride, SuppressionWindow, Workflow])).toEqual([]);
});
