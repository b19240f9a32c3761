/** Schemas of single values with a rule that is a function, shared by all trees. */
import { Type } from '@sinclair/typebox';
import { emailLimits, isEmailAddress } from '../text/email-address.js';
import { exceedsBytes } from '../text/text-limits.js';
import { maxUrlLength, parseWebUrl } from '../text/web-url.js';
import { endOfDayPattern, isInstant, timeOfDayPattern } from '../time/instant.js';
import { isTimeZone } from '../time/time-zone.js';
import { textUpTo, type Check } from './check.js';
import { checkedBy, textOfForm } from './schema.js';

/** A text for which `valid` holds; `message` states the requirement. */
const checkText =
  (valid: (text: string) => boolean, rule: string, message: string): Check =>
  (value, path, report) => {
    if (typeof value !== 'string') report(path, 'type', 'must be text');
    else if (!valid(value)) report(path, rule, message);
  };

const addressLength = textUpTo(emailLimits.address);

export const emailAddress = checkedBy(
  Type.String({ format: 'email', maxLength: emailLimits.address }),
  (value, path, report) => {
    if (isEmailAddress(value)) return;
    if (typeof value === 'string' && value.length <= emailLimits.address)
      report(path, 'format', 'must be an e-mail address');
    else addressLength(value, path, report);
  },
);

const urlLength = textUpTo(maxUrlLength);

export const webUrl = checkedBy(Type.String({ format: 'uri', maxLength: maxUrlLength }), (value, path, report) => {
  if (typeof value !== 'string' || value.length > maxUrlLength) return urlLength(value, path, report);
  const parsed = parseWebUrl(value);
  if (parsed.kind === 'url') return;
  if (parsed.fault === 'credentials') report(path, 'format', 'must not contain credentials');
  else report(path, 'format', 'must be a URL such as https://example.com/hook');
});

export const checkTimeZone = checkText(isTimeZone, 'timezone', 'must be an IANA time zone such as Europe/Berlin');

export const checkInstant = checkText(isInstant, 'format', 'must be a time such as 2026-11-20T14:00:00Z');

export const timeOfDay = textOfForm(timeOfDayPattern, 'must be a time of day such as 08:30');

export const endOfDay = textOfForm(endOfDayPattern, 'must be a time of day such as 17:30, at most 24:00');

/** A text of at most that many bytes in UTF-8. */
export const textOfBytes = (most: number) =>
  checkedBy(Type.String({ maxLength: most }), (value, path, report) => {
    if (typeof value !== 'string') report(path, 'type', 'must be text');
    else if (exceedsBytes(value, most)) report(path, 'maxBytes', `must have at most ${most} bytes`);
  });
