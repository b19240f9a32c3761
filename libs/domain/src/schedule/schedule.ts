/**
 * An on-call schedule, as it is stored and resolved. Instants are RFC 3339 texts, times of day `HH:MM` on the wall of the
 * schedule's zone, weekdays those of ISO 8601 (1 is Monday, 7 Sunday), and members ids that mean nothing here.
 */

export interface Rotation {
  unit: 'hour' | 'day' | 'week' | 'month';
  /** How many units a turn lasts. */
  interval: number;
  handoffTime: string;
  /** By week a weekday, by month a day of the month (in a shorter month its last), else null. */
  handoffDay: number | null;
}

/** From `start` up to `end`, on each of these days; an end that is not after the start is on the next day. */
export interface Restriction {
  /** Weekdays on which it begins. */
  days: number[];
  start: string;
  /** `24:00` is the end of the day. */
  end: string;
}

export interface ScheduleLayer {
  id: string;
  name: string;
  /** In turn; somebody may come more than once. Without members the layer has nobody. */
  members: string[];
  rotation: Rotation;
  startsAt: string;
  endsAt: string | null;
  /** When the layer has somebody, while the rotation goes on underneath: whenever one of them holds, always when there are none. */
  restrictions: Restriction[];
}

export interface ScheduleOverride {
  id: string;
  userId: string;
  startsAt: string;
  endsAt: string;
  createdAt: string;
}

export interface OnCallSchedule {
  /** A name of the IANA time zone database. */
  timezone: string;
  /** Of those that have somebody, the last one counts. */
  layers: ScheduleLayer[];
  /** They beat the layers, and the newest (by `createdAt`, then by id) beats the others. */
  overrides: ScheduleOverride[];
}
