/** The further addresses of a member: one schema gives the type, the check and the document. */
import { Type, type Static } from '@sinclair/typebox';
import { faultsOf, oneOf, type SettingsFault } from '../validation/check.js';
import { emailAddress } from '../validation/leaves.js';
import { checkOf } from '../validation/schema-check.js';
import { checkedBy, closedObject } from '../validation/schema.js';

/** Devices for push messages are records of their own: a browser adds them, and nobody can type one. */
export const contactMethodTypes = ['email'] as const;
export type ContactMethodType = (typeof contactMethodTypes)[number];

// A union of one word would be no union.
const type = checkedBy(
  Type.Unsafe<ContactMethodType>(Type.String({ enum: [...contactMethodTypes] })),
  oneOf(contactMethodTypes),
);

const sentContactMethod = closedObject({ type, address: emailAddress }, { $id: 'SentContactMethod' });

export type SentContactMethod = Static<typeof sentContactMethod>;

export const sentContactMethods = Type.Array(sentContactMethod, { maxItems: 10 });

const checkMethods = checkOf(sentContactMethods);

/** Every error of the addresses; each may be there once, and none is `email`, the address of the member itself. */
export function validateContactMethods(input: unknown, email: unknown): SettingsFault[] {
  const faults = faultsOf(checkMethods, input, 'contactMethods');
  if (!Array.isArray(input)) return faults;
  const lowered = (value: unknown): string | null => (typeof value === 'string' ? value.toLowerCase() : null);
  const before = new Set([lowered(email)]);
  input.forEach((method: unknown, i) => {
    const address = lowered((method as Partial<SentContactMethod> | null)?.address);
    if (address !== null && before.has(address))
      faults.push({ path: `contactMethods[${i}].address`, rule: 'unique', message: 'must not be there twice' });
    before.add(address);
  });
  return faults;
}
