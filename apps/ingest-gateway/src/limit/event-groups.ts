/**
 * Events of an organization that sends many go on to the stream together, ten times a second, while others send few and
 * the processors are busy. Alone, each of them costs a message, a transaction in each service that it passes, and some
 * thirty wake-ups, and delays the events of others. In a group they cost a tenth of it.
 */
import { AnswerTimes, RecentWork } from '@ams/domain';
import { NatsConnection } from '@ams/messaging';
import { Metrics } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';

const periodMs = 100;
/** Fewer events of the last seconds are never many. This is about 20 a second. */
const many = 30;
/** How often NATS is asked for an answer: usually, and while an organization sends many. */
const askEveryMs = { usually: 1000, besideMany: 20 };

@Injectable()
export class EventGroups {
  private readonly work = new RecentWork(many);
  private readonly answers = new AnswerTimes();
  private readonly gathered;
  /** Of the organizations whose events wait: the end of their wait. */
  private readonly groups = new Map<string, Promise<unknown>>();
  private askedAt = -Infinity;
  private isAsking = false;

  constructor(
    metrics: Metrics,
    @Inject(NatsConnection) private readonly nats: Pick<NatsConnection, 'flush'>,
  ) {
    this.gathered = metrics.counter(
      'ams_ingest_gathered_events_total',
      'Events that waited for the next ones of their organization, which sends many while others send few.',
    );
  }

  /**
   * Counts the events. Resolves when they may go on, at once in most cases, with the milliseconds that they have
   * waited. They never overtake earlier ones of their organization that wait.
   */
  async turnOf(organizationId: string, events: number): Promise<number> {
    const begun = performance.now();
    const waitMs = this.waitOf(organizationId, events, begun);
    let group = this.groups.get(organizationId);
    if (!group) {
      if (waitMs === 0) return 0;
      group = pause(waitMs).then(() => this.groups.delete(organizationId));
      this.groups.set(organizationId, group);
    }
    this.gathered.inc(events);
    await group;
    return performance.now() - begun;
  }

  /** Counts the events. Returns in how many milliseconds their group ends; 0 if they are not to wait. */
  waitOf(organizationId: string, events: number, now: number): number {
    this.work.note(organizationId, events, now);
    const isMany = this.work.hasMuchBesideLittle(organizationId, now);
    if (now - this.askedAt >= (isMany ? askEveryMs.besideMany : askEveryMs.usually)) void this.ask(now);
    return isMany && this.answers.isSlow(now) ? periodMs - (now % periodMs) : 0;
  }

  /** NATS has answered a PING after so many milliseconds. */
  noteAnswer(ms: number, now: number): void {
    this.answers.note(ms, now);
  }

  /** A PING is no work for NATS. Its PONG is late when NATS or this process waits for a processor. */
  private async ask(now: number): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    this.askedAt = now;
    const begun = performance.now();
    try {
      await this.nats.flush();
      const answeredAt = performance.now();
      // After a lost connection the answer may be minutes late, which says nothing about the processors now.
      this.noteAnswer(Math.min(answeredAt - begun, periodMs), answeredAt);
    } catch {
      // disconnected: there is no answer to measure
    } finally {
      this.isAsking = false;
    }
  }
}
