/**
 * Hashes and compares passwords: argon2id with 19 MiB and two passes (OWASP), in threads beside the event loop. Each
 * comparison costs the same, also for an account that does not exist, so the time of an answer tells nothing.
 */
import { Fault, newUuid } from '@ams/contracts';
import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { availableParallelism } from 'node:os';

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One thread of Node's pool of four stays free for files and names of hosts. */
const mostAtATime = Math.min(3, availableParallelism());
const mostWaiting = 100;

@Injectable()
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** Of a random password, for accounts that do not exist or have no password. */
  private readonly nobodys = hash(newUuid(), cost);

  /** Throws UNAVAILABLE when too many others wait. */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password.normalize('NFKC'), cost));
  }

  /** `passwordHash`: null when there is none; then no password is right. Throws UNAVAILABLE. */
  async isRight(passwordHash: string | null, password: string): Promise<boolean> {
    const compared = passwordHash ?? (await this.nobodys);
    const isSame = await this.inTurn(() => verify(compared, password.normalize('NFKC')));
    return isSame && passwordHash !== null;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= mostAtATime) {
      if (this.waiting.length >= mostWaiting) throw new Fault('UNAVAILABLE', { requestId: '' });
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running++;
    try {
      return await work();
    } finally {
      // The place of this one is passed on.
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
