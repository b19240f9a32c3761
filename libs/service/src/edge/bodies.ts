/**
 * Bodies of requests that arrive, or wait in memory. Their bytes are limited, and the number of the unfinished ones of
 * each sender (an address, or an organization once it is known). One more unfinished body ends the oldest one of the
 * same sender. When the memory is full, the sender that holds the most loses its oldest unfinished body, so a sender
 * can only crowd out itself.
 */
import { Fault } from '@ams/contracts';
import { whoYields } from '@ams/domain';

export interface BodyLimits {
  /** Of all bodies together. */
  bytes: number;
  /** Unfinished bodies of a sender. */
  perSender: number;
}

export interface HeldBody {
  /** Bytes have arrived. */
  add(bytes: number): void;
  /** The body has arrived completely; its bytes are still in memory. */
  complete(): void;
  /** Its bytes are no longer in memory. May be called more than once. */
  end(): void;
}

type Reason = 'tooMany' | 'memory' | 'tooSlow';

interface Sender {
  bytes: number;
  bodies: number;
  /** In the order of their beginning: what ends each. */
  readonly unfinished: Set<(reason: Reason) => void>;
}

export class Bodies {
  private readonly senders = new Map<string, Sender>();
  private total = 0;

  constructor(
    private readonly limits: BodyLimits,
    private readonly ended: (reason: Reason) => void = () => undefined,
  ) {}

  get bytes(): number {
    return this.total;
  }

  /**
   * `cut` is called at most once, with REQUEST_TIMEOUT or UNAVAILABLE: it must end the request, and nothing more of its
   * body is held. `limitMs`: how long the body may take.
   */
  begin(name: string, requestId: string, cut: (fault: Fault) => void, limitMs?: number): HeldBody {
    const sender = this.senders.get(name) ?? { bytes: 0, bodies: 0, unfinished: new Set() };
    this.senders.set(name, sender);
    sender.bodies++;
    if (sender.unfinished.size >= this.limits.perSender) endOldest(sender, 'tooMany');
    let bytes = 0;
    let over = false;
    const stop = (reason: Reason): void => {
      end();
      this.ended(reason);
      cut(reason === 'memory' ? new Fault('UNAVAILABLE', { requestId }) : new Fault('REQUEST_TIMEOUT', null));
    };
    const timer = limitMs === undefined ? undefined : setTimeout(() => stop('tooSlow'), limitMs);
    const complete = (): void => {
      clearTimeout(timer);
      sender.unfinished.delete(stop);
    };
    const end = (): void => {
      complete();
      if (over) return;
      over = true;
      this.total -= bytes;
      sender.bytes -= bytes;
      if (--sender.bodies === 0) this.senders.delete(name);
    };
    sender.unfinished.add(stop);
    return {
      add: (more) => {
        if (over) return;
        bytes += more;
        sender.bytes += more;
        this.total += more;
        while (this.total > this.limits.bytes && this.makeRoom());
      },
      complete,
      end,
    };
  }

  /** False when every body has arrived. */
  private makeRoom(): boolean {
    const holdings = [...this.senders.values()].map(
      (sender) => [sender, { bytes: sender.bytes, canYield: sender.unfinished.size > 0 }] as const,
    );
    const sender = whoYields(holdings);
    if (sender !== null) endOldest(sender, 'memory');
    return sender !== null;
  }
}

function endOldest({ unfinished }: Sender, reason: Reason): void {
  const [oldest] = unfinished;
  oldest?.(reason);
}
