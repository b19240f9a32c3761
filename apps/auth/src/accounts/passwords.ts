/**
 * Hashes and compares passwords: argon2id with 19 MiB and two passes (OWASP), in threads beside the event loop. Each
 * comparison costs the same, also for an account that does not exist, so the time of an answer tells nothing. Networks
 * take turns, so many attempts from one delay no other.
 */
import { Fault, newUuid } from '@ams/contracts';
import { FairSlots } from '@ams/database';
import { networkOf } from '@ams/domain';
import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { availableParallelism } from 'node:os';

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One thread of Node's pool of four stays free for files and names of hosts, and one processor for other work. */
const mostAtATime = Math.max(1, Math.min(3, availableParallelism() - 1));
const mostWaiting = 1000;
/** As many as may fail in 15 minutes (sign-in-attempts.ts). */
const mostWaitingOfNetwork = 50;
/** After a wrong password the processor is left to others for as long as the comparison took. */
const restAfterWrong = 1;

@Injectable()
export class Passwords {
  private readonly turns = new FairSlots({ total: mostAtATime, organization: 1, team: 1 });
  private readonly waiting = new Map<string, number>();
  /** Of a random password, for accounts that do not exist or have no password. */
  private readonly nobodys = hash(newUuid(), cost);

  /** `ip`: of the caller; networks take turns. Throws UNAVAILABLE when too many others wait. */
  hash(password: string, ip: string | null): Promise<string> {
    return this.inTurn(ip, () => hash(password.normalize('NFKC'), cost));
  }

  /** `passwordHash`: null when there is none; then no password is right. Throws UNAVAILABLE. */
  async isRight(passwordHash: string | null, password: string, ip: string | null): Promise<boolean> {
    const compared = passwordHash ?? (await this.nobodys);
    const isSame = await this.inTurn(
      ip,
      () => verify(compared, password.normalize('NFKC')),
      (isSamePassword) => (isSamePassword ? 0 : restAfterWrong),
    );
    return isSame && passwordHash !== null;
  }

  private async inTurn<T>(ip: string | null, work: () => Promise<T>, rest?: (result: T) => number): Promise<T> {
    const network = networkOf(ip);
    const waiting = this.waiting.get(network) ?? 0;
    if (waiting >= mostWaitingOfNetwork || this.turns.waiting >= mostWaiting)
      throw new Fault('UNAVAILABLE', { requestId: '' });
    this.waiting.set(network, waiting + 1);
    const begin = (): Promise<T> => {
      this.leave(network);
      return work();
    };
    return this.turns.run({ organization: network, team: '' }, begin, rest);
  }

  private leave(network: string): void {
    const waiting = (this.waiting.get(network) ?? 1) - 1;
    if (waiting === 0) this.waiting.delete(network);
    else this.waiting.set(network, waiting);
  }
}
