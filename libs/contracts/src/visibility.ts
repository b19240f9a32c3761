/**
 * What a principal may read in an answer about other records: what its scopes may read directly. The scopes that an
 * answer needs as a whole are in its operation (`needs`); what is left out without a scope is decided here.
 */
import { maskedAddresses } from '@ams/domain';
import { grants, type Scope } from '@ams/scopes';
import type { Principal } from './principal.js';

type Reader = Pick<Principal, 'scopes' | 'restrictedTo'>;

/** Whether all of these scopes are there. */
export const mayRead = ({ scopes }: Reader, ...needed: Scope[]): boolean =>
  needed.every((scope) => grants(scopes, scope));

/** The addresses of members. A restricted key cannot list members. */
export const readsMembers = (reader: Reader): boolean => !reader.restrictedTo && mayRead(reader, 'users:read');

/** The value, with the e-mail addresses in its texts masked for a reader who may not read members. */
export const withAddressesFor = <T>(reader: Reader, value: T): T => (readsMembers(reader) ? value : masked(value));

const masked = <T>(value: T): T => {
  if (typeof value === 'string') return maskedAddresses(value) as T;
  if (Array.isArray(value)) return value.map(masked) as T;
  // Dates and the like have no addresses.
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, masked(field)])) as T;
};
