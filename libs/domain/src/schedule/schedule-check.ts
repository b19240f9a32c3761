/** The check of schedules that users send. What passes is what the resolver relies on. */
import { faultsOf, required, type SettingsFault } from '../validation/check.js';
import { checkOf } from '../validation/schema-check.js';
import { scheduleSchema } from './schedule.js';

export type ScheduleFault = SettingsFault;

const checkSchedule = required(checkOf(scheduleSchema));

/**
 * Every fault of a schedule that a user sent, none when it is an `OnCallSchedule`. `endsAt` of a layer and `handoffDay`
 * may be left out where they may be null. Whether members exist is for whoever has them.
 */
export const validateSchedule = (input: unknown): ScheduleFault[] => faultsOf(checkSchedule, input);
