/** The sender of each channel. A channel without one does not compile. */
import type { Channel, SendRequest } from '@ams/contracts';
import type { ChannelSender, Delivery } from './channel-sender.js';
import { discord } from './discord.js';
import { email } from './email.js';
import { mattermost } from './mattermost.js';
import { push } from './push.js';
import { slack } from './slack.js';
import { teams } from './teams.js';
import type { Transports } from './transports.js';
import { webhook } from './webhook.js';

const channelSenders: { readonly [C in Channel]: ChannelSender<C> } = {
  email,
  push,
  slack,
  teams,
  mattermost,
  discord,
  webhook,
};

export function deliveryOf(request: SendRequest, transports: Transports): Delivery {
  const { target } = request;
  // TypeScript cannot infer that the sender and the target have the same channel.
  const sender = channelSenders[target.channel] as (
    request: SendRequest,
    target: SendRequest['target'],
    transports: Transports,
  ) => Delivery;
  return sender(request, target, transports);
}
