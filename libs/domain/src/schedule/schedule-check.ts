/** Validates schedules from users. The resolver requires a valid schedule. */
import { faultsOf, required, type SettingsFault } from '../validation/check.js';
import { checkOf } from '../validation/schema-check.js';
import { scheduleSchema } from './schedule.js';

export type ScheduleFault = SettingsFault;

const checkSchedule = required(checkOf(scheduleSchema));

/**
 * Every error of a schedule from a user; an empty list when it is an `OnCallSchedule`. `endsAt` of a layer and
 * `handoffDay` may be left out where they may be null. The caller checks whether members exist.
 */
export const validateSchedule = (input: unknown): ScheduleFault[] => faultsOf(checkSchedule, input);
