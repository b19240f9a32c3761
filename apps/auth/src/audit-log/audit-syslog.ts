/**
 * Sends the audit logs of all organizations to a collector of syslog, each line at least once and in the order of its
 * chain. The position of each chain is stored after the collector has confirmed a batch. A slow or absent collector delays
 * these messages only: no transaction is open while something is sent.
 */
import { newUuid } from '@ams/contracts';
import { Database } from '@ams/database';
import { syslogFrame } from '@ams/domain';
import { Logger, Measurement, Metrics, Rounds } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { hostname } from 'node:os';
import { AuthSettings } from '../settings.js';
import { sendConfirmed, type Collector } from './syslog-connection.js';
import { holdsSending, moveOn, nextBatch, unsent } from './syslog-lines.js';

const everyMs = 1000;
const longestPauseMs = 60_000;
const sendLimits = { timeoutMs: 30_000, graceMs: 250 };
/** Longer than a batch takes: another replica takes over when this one has stopped. */
const holdSeconds = 60;

@Injectable()
export class AuditSyslog implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly parts: { rounds: Rounds; measurement: Measurement } | null = null;
  private readonly stopping = new AbortController();
  private readonly replica = newUuid();
  private readonly maxBytes: number;
  private readonly sent;
  private readonly failed;
  private readonly missing;
  private failures = 0;
  private nextAttempt = 0;

  constructor(
    settings: AuthSettings,
    private readonly database: Database,
    private readonly log: Logger,
    metrics: Metrics,
  ) {
    const { auditSyslogUrl: url, auditSyslogMaxBytes } = settings;
    this.maxBytes = auditSyslogMaxBytes;
    this.sent = metrics.counter('ams_audit_syslog_sent_total', 'Audit entries that the collector of syslog has read.');
    this.failed = metrics.counter('ams_audit_syslog_failures_total', 'Batches that the collector has not confirmed.');
    this.missing = metrics.counter(
      'ams_audit_syslog_missing_total',
      'Audit entries that were deleted because of their age before they were sent to syslog.',
    );
    if (url === undefined) return;
    const lines = metrics.gauge('ams_audit_syslog_unsent_entries', 'Audit entries that wait for syslog.');
    const oldest = metrics.gauge(
      'ams_audit_syslog_oldest_unsent_seconds',
      'Age of the oldest audit entry that waits for syslog.',
    );
    const { auditSyslogTlsCaFile, auditSyslogTlsCertFile, auditSyslogTlsKeyFile } = settings;
    const collector = {
      url: new URL(url),
      tls: { caFile: auditSyslogTlsCaFile, certFile: auditSyslogTlsCertFile, keyFile: auditSyslogTlsKeyFile },
    };
    this.parts = {
      rounds: new Rounds({
        everyMs,
        work: () => this.round(collector),
        onError: (error) => this.failedWith(error),
      }),
      measurement: new Measurement({
        metrics,
        log,
        name: 'syslog',
        gauges: [lines, oldest],
        everyMs: 10_000,
        read: async () => {
          const waiting = await unsent(database);
          lines.set(waiting.lines);
          oldest.set(waiting.seconds);
        },
      }),
    };
  }

  onApplicationBootstrap(): void {
    this.parts?.rounds.start();
    this.parts?.measurement.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.parts?.rounds.stop(), this.parts?.measurement.stop()]);
  }

  private async round(collector: Collector): Promise<boolean> {
    if (performance.now() < this.nextAttempt) return false;
    if (!(await holdsSending(this.database, this.replica, holdSeconds))) return false;
    const { lines, ends, missing } = await nextBatch(this.database, this.maxBytes);
    if (lines.length === 0) return false;
    const frames = lines.map((line) => syslogFrame(line, hostname(), this.maxBytes));
    await sendConfirmed(collector, frames, sendLimits, this.stopping.signal);
    await moveOn(this.database, ends);
    this.failures = 0;
    this.sent.inc(lines.length);
    if (missing > 0) {
      this.missing.inc(missing);
      this.log.error({ missing }, 'audit entries were deleted because of their age before they were sent to syslog');
    }
    return true;
  }

  /** The pause doubles up to a minute. */
  private failedWith(error: unknown): void {
    if (this.stopping.signal.aborted) return;
    this.failed.inc();
    const pauseMs = Math.min(everyMs * 2 ** this.failures++, longestPauseMs);
    this.nextAttempt = performance.now() + pauseMs;
    this.log.warn({ err: error, pauseMs }, 'audit entries could not be sent to syslog; it is tried again');
  }
}
