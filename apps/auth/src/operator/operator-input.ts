/**
 * Checks the values that an operator enters. Each function throws VALIDATION_ERROR with a sentence that names the
 * allowed values.
 */
import { invalid } from '@ams/contracts';
import { isEmailAddress, isTimeZone, parseDateOrInstant } from '@ams/domain';
import { environments, isScope, roles, scopes, type Environment, type Role, type Scope } from '@ams/scopes';

const longestName = 200;

const listed = (words: readonly string[]): string => words.join(', ');

/** A text with a visible character. `what` names it in the sentence: `the name of the owner`. */
export function nameFrom(text: string, what: string): string {
  if (!/\S/.test(text)) throw invalid('name', 'visible', `The text for ${what} has no visible character.`);
  if (text.length > longestName)
    throw invalid('name', 'maxLength', `The text for ${what} has more than ${longestName} characters.`);
  return text;
}

export function emailFrom(text: string): string {
  if (!isEmailAddress(text)) throw invalid('email', 'email', `"${text}" is not an e-mail address.`);
  return text;
}

export function roleFrom(text: string): Role {
  if (!Object.hasOwn(roles, text))
    throw invalid('role', 'known', `There is no role "${text}"; there are ${listed(Object.keys(roles))}.`);
  return text as Role;
}

export function environmentFrom(text: string): Environment {
  const environment = environments.find((name) => name === text);
  if (!environment)
    throw invalid('environment', 'known', `There is no environment "${text}"; there are ${listed(environments)}.`);
  return environment;
}

/** Each scope once. */
export function scopesFrom(words: readonly string[]): Scope[] {
  if (words.length === 0) throw invalid('scopes', 'minItems', `A key needs a scope; there are ${listed(scopes)}.`);
  const unknown = words.filter((word) => !isScope(word)).map((word) => `"${word}"`);
  if (unknown.length > 0)
    throw invalid('scopes', 'known', `There is no scope ${listed(unknown)}; there are ${listed(scopes)}.`);
  return [...new Set(words.filter(isScope))];
}

export function timeZoneFrom(text: string): string {
  if (!isTimeZone(text))
    throw invalid('timezone', 'known', `There is no time zone "${text}"; there are ${zonesFor(text)}.`);
  return text;
}

/** The zones of the region that the text names. Without a region, the regions: there are hundreds of zones. */
function zonesFor(text: string): string {
  const zones = Intl.supportedValuesOf('timeZone');
  const region = `${text.split('/')[0]}/`.toLowerCase();
  const near = zones.filter((zone) => zone.toLowerCase().startsWith(region));
  if (near.length > 0) return listed(near);
  const regions = new Set(zones.filter((zone) => zone.includes('/')).map((zone) => zone.split('/')[0]));
  const names = listed([...regions].map((name) => `${name}/…`));
  return `UTC and the places of the IANA database in ${names}, such as Europe/Berlin`;
}

/** A date is the end of that day, UTC. */
export function instantFrom(text: string): Date {
  const instant = parseDateOrInstant(text);
  if (!instant)
    throw invalid(
      'expiry',
      'time',
      `"${text}" is not a valid time; write one such as 2026-11-20T14:00:00Z, or a date such as 2026-11-20.`,
    );
  return instant;
}
