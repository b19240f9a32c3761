/** E-mail addresses in texts that are shown to somebody who may not read members. */

/** Up to 64 characters before the @ (RFC 5321, 4.5.3.1.1), so a long text without one costs no more than its length. */
const localParts = /([^\s<>()",;:@])[^\s<>()",;:@]{0,63}@(?=[^\s<>()",;:@])/g;

/** The text with the first character and the domain of each address: `mira@example.com` is `m…@example.com`. */
export const maskedAddresses = (text: string): string => text.replace(localParts, '$1…@');
