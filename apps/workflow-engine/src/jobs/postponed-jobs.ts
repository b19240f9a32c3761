/** Adds postponed jobs again, many with one statement: a storm takes one connection for this. */
import type { Database } from '@ams/database';
import { addDueJobs, type AllJobs, type DueJob } from './jobs.js';

interface Waiting {
  name: keyof AllJobs;
  due: DueJob<keyof AllJobs>;
  stored: () => void;
  failed: (error: unknown) => void;
}

export class PostponedJobs {
  private waiting: Waiting[] = [];
  private isStoring = false;

  constructor(private readonly database: Pick<Database, 'query'>) {}

  /** Resolves when the job is stored. */
  add<Name extends keyof AllJobs>(name: Name, due: DueJob<Name>): Promise<void> {
    return new Promise((stored, failed) => {
      this.waiting.push({ name, due, stored, failed });
      if (!this.isStoring) void this.store();
    });
  }

  private async store(): Promise<void> {
    this.isStoring = true;
    // Jobs of one fetch begin one after another.
    await Promise.resolve();
    for (let some = this.waiting.splice(0); some.length > 0; some = this.waiting.splice(0)) {
      for (const name of new Set(some.map((one) => one.name))) {
        const ofName = some.filter((one) => one.name === name);
        await addDueJobs(
          this.database,
          name,
          ofName.map(({ due }) => due),
        ).then(
          () => ofName.forEach(({ stored }) => stored()),
          (error: unknown) => ofName.forEach(({ failed }) => failed(error)),
        );
      }
    }
    this.isStoring = false;
  }
}
