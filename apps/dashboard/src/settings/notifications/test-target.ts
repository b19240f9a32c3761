/** To whom a test message goes, as the form asks for it. */
import type { Body } from '../../api/operation-types.js';

export const targetKinds = ['email', 'user', 'channel'] as const;
export const chatKinds = ['slack', 'teams', 'mattermost', 'discord', 'webhook'] as const;

export interface TargetValues {
  kind: (typeof targetKinds)[number];
  address: string;
  userId: string;
  service: (typeof chatKinds)[number];
  url: string;
}

/** The target of a `notify` step. */
export function targetOf({
  kind,
  address,
  userId,
  service,
  url,
}: TargetValues): Body<'sendTestNotification'>['target'] {
  switch (kind) {
    case 'email':
      return { type: 'email', address };
    case 'user':
      return { type: 'user', id: userId };
    case 'channel':
      return { type: 'channel', kind: service, url };
  }
}
