/**
 * Only what is written one record at a time is an entity. Alerts, incidents, their timelines, events and counts are written
 * by a few multi-row statements for a batch (alert-changes.ts, incident-changes.ts): that is the hot path. Partitions,
 * replicas and window_watch are leases and claims by the clock of the database: conditional updates that skip locked rows.
 * The counter of incident numbers is one upsert. Their SQL stands where it is used.
 */
import { SetAsideMessageEntity } from './events/set-aside-message.entity.js';

export const entities = [SetAsideMessageEntity];
