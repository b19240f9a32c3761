/**
 * Only tables that are written one record at a time have an entity. Alerts, incidents, their timelines, events and
 * counts are written by a few multi-row statements for a batch (alert-changes.ts, incident-changes.ts): that is the hot
 * path. Partitions, replicas and window_watch hold leases and claims by the clock of the database. They are changed by
 * conditional updates that skip locked rows. The counter of incident numbers is one upsert. The SQL of these tables is
 * in the files that use it.
 */
import { SetAsideMessageEntity } from './events/set-aside-message.entity.js';

export const entities = [SetAsideMessageEntity];
