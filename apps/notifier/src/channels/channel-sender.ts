import type { Channel, SendRequest, SendTarget } from '@ams/contracts';
import type { Hop } from '../attempts/attempt-limiter.js';
import type { AttemptResult } from '../attempts/attempt-result.js';
import type { Transports } from './transports.js';

/** One message, ready to be sent. */
export interface Delivery {
  /** The target in the log: the host, or the e-mail address with a masked local part. */
  target: string;
  hops: Hop[];
  attempt(): Promise<AttemptResult>;
}

export type TargetOf<C extends Channel, Target = SendTarget> = Target extends { channel: Channel }
  ? C extends Target['channel']
    ? Target & { channel: C }
    : never
  : never;

export type ChannelSender<C extends Channel> = (
  request: SendRequest,
  target: TargetOf<C>,
  transports: Transports,
) => Delivery;
