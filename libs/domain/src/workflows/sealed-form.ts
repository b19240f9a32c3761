/**
 * The form of sealed secrets in records, where plain ones could be:
 *
 *   text       ~sealed~<envelope>
 *   address    https://hooks.slack.com/~sealed~<name>~<envelope>
 *
 * A sealed address is still an address: its host, and the word after it, can be shown. Its name is equal for equal
 * addresses of one tenant, so two targets with the same address are found without opening them. Envelope and name are
 * base64url.
 */

/** No value that a caller sends may contain it. */
export const sealedMark = '~sealed~';

const sealedForm = /~sealed~(?:[A-Za-z0-9_-]+~)?[A-Za-z0-9_-]+$/;
export const isSealed = (value: string): boolean => sealedForm.test(value);

/** What identifies an address: the address itself, or a sealed one without its envelope. */
export const addressName = (url: string): string => (isSealed(url) ? url.slice(0, url.lastIndexOf('~')) : url);

export const sealedText = (envelope: string): string => `${sealedMark}${envelope}`;
export const sealedAddress = (name: string, envelope: string): string => `${name}~${envelope}`;
export const nameOfAddress = (base: string, name: string): string => `${base}/${sealedMark}${name}`;
export const envelopeOf = (sealed: string): string => sealed.slice(sealed.lastIndexOf('~') + 1);
