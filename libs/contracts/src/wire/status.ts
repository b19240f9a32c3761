/** What each replica of a service reports about itself, for `GET /status`. */
import type { Readings } from '@ams/domain';

/** A bucket with one key for each replica: `<service>.<replica>`. NATS gives each report its time. */
export const statusBucket = 'status';

/** How long the report of a replica that has ended is kept. */
export const reportsKeptMs = 3_600_000;

export interface StatusReport {
  /** Whether `/readyz` would answer 200. */
  isReady: boolean;
  /** With their ages when the report was sent. */
  readings: Readings;
}
