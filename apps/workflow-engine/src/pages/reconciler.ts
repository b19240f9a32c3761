/**
 * Looks for pages that are missing, and puts them on their way again: the net under every fault that nobody has thought
 * of. Everything it does may be repeated, and each repair is a transaction of its own, so that one that fails does not
 * stop the others.
 */
import { Database, type Tx } from '@ams/database';
import { Logger, Metrics, Rounds } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { beginLostEvent, findLostEvents } from './lost-events.js';
import { addLostJobs } from './lost-jobs.js';
import { beginLostRun, findLostRuns } from './lost-runs.js';
import { dueLooks, look, type Found, type Look, type Missing } from './page-looks.js';
import { createPageNotifications, findPagesWithoutNotifications } from './page-notifications.js';
import { LineEnds } from './page-outcomes.js';

const turnMs = 2000;

@Injectable()
export class PageReconciler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly missing;
  private readonly lines: LineEnds;
  private readonly rounds: Rounds;

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
    metrics: Metrics,
  ) {
    this.rounds = new Rounds({
      everyMs: turnMs,
      work: () => this.work(),
      onError: (error) => this.log.warn({ err: error }, 'pages could not be checked; trying again'),
    });
    this.lines = new LineEnds(database);
    this.missing = metrics.counter(
      'ams_pages_missing_total',
      'Pages that were missing for more than a minute and were put on their way again. 0 in a healthy system.',
      ['missing'] as const,
    );
    for (const missing of ['event', 'run', 'job', 'notification'] as const) this.missing.inc({ missing }, 0);
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  private async work(): Promise<boolean> {
    await this.lines.end(() => this.rounds.isStopped);
    for (const part of await dueLooks(this.database)) if (!this.rounds.isStopped) await this.lookFor(part);
    return false;
  }

  private async lookFor(part: Missing): Promise<void> {
    switch (part) {
      case 'event':
        return this.mend(part, findLostEvents, beginLostEvent);
      case 'run':
        return this.mend(part, findLostRuns, beginLostRun);
      case 'job':
        return this.mend(part, addLostJobs, () => Promise.resolve(true));
      case 'notification':
        return this.mend(part, findPagesWithoutNotifications, async (tx, page) => {
          return (await createPageNotifications(tx, [page])) > 0;
        });
    }
  }

  /** `repair` returns false when nothing was missing after all. */
  private async mend<T>(
    missing: Missing,
    find: (tx: Tx, look: Look) => Promise<Found<T>>,
    repair: (tx: Tx, one: T) => Promise<boolean>,
  ): Promise<void> {
    const found = await look(this.database, missing, find).catch((error: unknown) => {
      this.log.warn({ err: error, missing }, 'missing pages could not be searched; trying again');
      return [];
    });
    let mended = 0;
    for (const one of found) {
      if (this.rounds.isStopped) break;
      const isMended = await this.database
        .asService((tx) => repair(tx, one))
        .catch((error: unknown) => {
          this.log.warn({ err: error, missing }, 'a missing page could not be put on its way; trying again');
          return false;
        });
      if (isMended) mended++;
    }
    if (mended === 0) return;
    this.missing.inc({ missing }, mended);
    this.log.error({ missing, found: mended }, 'pages were missing, and were put on their way again');
  }
}
