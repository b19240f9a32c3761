/** What the profile page says about push messages to this browser. */
export type PushState = 'notSetUp' | 'unsupported' | 'install' | 'denied' | 'off' | 'on';

export interface BrowserFacts {
  isSupported: boolean;
  /** An iPhone or iPad, where only pages on the home screen can have push messages. */
  isIos: boolean;
  permission: NotificationPermission;
  /** The subscription that the browser has; null without one. */
  subscription: { fingerprint: string; publicKey: string | null } | null;
}

export interface OwnDevice {
  id: string;
  fingerprint: string;
  endedAt: string | null;
}

/** The entry of this browser, while it has not ended. */
export const deviceHere = <Device extends OwnDevice>(
  { subscription }: Pick<BrowserFacts, 'subscription'>,
  devices: readonly Device[],
): Device | undefined =>
  devices.find(({ fingerprint, endedAt }) => endedAt === null && fingerprint === subscription?.fingerprint);

/** `publicKey` is that of the service; a subscription with another one gets nothing. */
export function pushState(facts: BrowserFacts, publicKey: string | null, devices: readonly OwnDevice[]): PushState {
  if (publicKey === null) return 'notSetUp';
  if (!facts.isSupported) return facts.isIos ? 'install' : 'unsupported';
  if (facts.permission === 'denied') return 'denied';
  const isOn =
    facts.permission === 'granted' &&
    facts.subscription?.publicKey === publicKey &&
    deviceHere(facts, devices) !== undefined;
  return isOn ? 'on' : 'off';
}
