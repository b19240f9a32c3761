/** Push messages of this browser: the functions of the browser, without the API of the service. */
import type { BrowserFacts } from './push-state.js';

const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** An iPad calls itself a Mac, but Macs have no touch screen. */
const isIos = (): boolean =>
  /\b(?:iPhone|iPad)\b/.test(navigator.userAgent) ||
  (/\bMacintosh\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

/** As the service makes it. */
async function fingerprintOf(endpoint: string): Promise<string> {
  return base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))).slice(0, 16);
}

async function presentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

export async function browserFacts(): Promise<BrowserFacts> {
  if (!isSupported()) return { isSupported: false, isIos: isIos(), permission: 'default', subscription: null };
  const subscription = await presentSubscription();
  const key = subscription?.options.applicationServerKey ?? null;
  return {
    isSupported: true,
    isIos: isIos(),
    permission: Notification.permission,
    subscription: subscription && {
      fingerprint: await fingerprintOf(subscription.endpoint),
      publicKey: key && base64url(key),
    },
  };
}

export interface NewSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** Asks for the permission, so it must follow a click. Null: the person or the browser did not give it. */
export async function subscribe(publicKey: string): Promise<NewSubscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  const key = before?.options.applicationServerKey ?? null;
  // A browser has one subscription, and it belongs to one key.
  if (before && (key === null || base64url(key) !== publicKey)) await before.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) };
  const { endpoint = '', keys = {} } = (await pushManager.subscribe(options)).toJSON();
  return { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } };
}

export async function unsubscribe(): Promise<void> {
  await (await presentSubscription())?.unsubscribe();
}
