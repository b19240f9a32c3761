/** The forms of the settings for traces. OpenTelemetry defines them, as it does the names of the variables. */
import { ValidateBy } from 'class-validator';

export const IsCollectorUrl = (): PropertyDecorator =>
  ValidateBy({
    name: 'isCollectorUrl',
    validator: {
      validate: (value) => typeof value === 'string' && isCollectorUrl(value),
      defaultMessage: () =>
        'it must be an http or https URL without a user, a query or a fragment (a key belongs to ' +
        'OTEL_EXPORTER_OTLP_HEADERS)',
    },
  });

function isCollectorUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

/** `what`: the word for a pair. The message has no value, which may be a secret. */
export const IsPairs = (what: 'header' | 'attribute'): PropertyDecorator =>
  ValidateBy({
    name: 'isPairs',
    validator: {
      validate: (value) => typeof value === 'string' && pairsIn(value) !== null,
      defaultMessage: () => `it must be a list of ${what}s, name=value,name=value, with values encoded as in URLs`,
    },
  });

const nameForm = /^[\w!#$%&'*+.^`|~-]{1,200}$/;
const printable = /^[\x20-\x7e]*$/;

/** `name=value,name=value`. Null for another text. */
export function pairsIn(text: string): Record<string, string> | null {
  const pairs: [string, string][] = [];
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(0, at)).trim();
    const value = decoded(part.slice(at + 1).trim());
    if (!nameForm.test(name) || value === null || !printable.test(value)) return null;
    pairs.push([name, value]);
  }
  return Object.fromEntries(pairs);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
