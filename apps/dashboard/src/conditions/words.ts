/** Conditions as sentences. What people wrote is between isolates, so that it cannot turn the text around it. */
import { texts } from '../texts/texts.js';
import type { NameOf } from '../ui/record-names.js';
import { fieldOf, kindOf, type Condition, type Operator, type Predicate } from './fields.js';

const maxLength = 80;

/** Text of people inside a sentence: cut, and in isolates (Unicode Bidirectional Algorithm, 2.5). */
export function isolated(text: string): string {
  const letters = [...text];
  return `\u2068${letters.length > maxLength ? `${letters.slice(0, maxLength).join('')}…` : text}\u2069`;
}

const quoted = (text: string): string => `"${isolated(text)}"`;

const anyAlert = 'alerts.any.';

export function fieldText(field: string): string {
  if (field.startsWith(anyAlert)) return texts.conditions.ofAny(fieldText(field.slice(anyAlert.length)));
  const [, bag, name] = /^(labels|annotations)\.(.*)$/s.exec(field) ?? [];
  if (bag === 'labels') return texts.conditions.label(isolated(name ?? ''));
  if (bag === 'annotations') return texts.conditions.annotation(isolated(name ?? ''));
  return Object.hasOwn(texts.conditions.fields, field) ? (texts.conditions.fields[field] ?? field) : isolated(field);
}

export function operatorText(op: Operator, field: string): string {
  const kind = kindOf(field);
  const isOrder = op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte';
  if (isOrder && kind === 'severity') return texts.conditions.ordered.severity[op];
  if (isOrder && (kind === 'time' || kind === 'date')) return texts.conditions.ordered.time[op];
  return texts.conditions.operators[op];
}

/** One value of the field, as people say it. */
export function valueText(field: string, value: string | number | boolean, nameOf: NameOf): string {
  const { kind, noun } = fieldOf(field) ?? { kind: 'text', noun: undefined };
  const text = String(value);
  switch (kind) {
    case 'severity':
      return texts.ui.severity[text.toLowerCase() as keyof typeof texts.ui.severity]?.toLowerCase() ?? quoted(text);
    case 'alertStatus':
      return texts.ui.alertStatus[text.toLowerCase() as keyof typeof texts.ui.alertStatus]?.toLowerCase() ?? text;
    case 'incidentStatus':
      return texts.ui.incidentStatus[text.toLowerCase() as keyof typeof texts.ui.incidentStatus]?.toLowerCase() ?? text;
    case 'weekday':
      return texts.conditions.weekdays[Number(value) - 1] ?? text;
    case 'number':
    case 'time':
    case 'date':
      return text === '' ? texts.conditions.empty : isolated(text);
    default: {
      if (text === '') return texts.conditions.empty;
      const name = noun && nameOf(noun, text);
      return name === undefined ? quoted(text) : isolated(name);
    }
  }
}

export function predicateText({ field, op, value, timezone }: Predicate, nameOf: NameOf): string {
  const subject = fieldText(field);
  const { hasValue, hasNoValue, empty, inZone } = texts.conditions;
  if (op === 'exists') return `${subject} ${value === true ? hasValue : hasNoValue}`;
  const values = (Array.isArray(value) ? value : [value]).map((each) => valueText(field, each, nameOf));
  const said = `${subject} ${operatorText(op, field)} ${values.length === 0 ? empty : listed(values, texts.conditions.or)}`;
  return field.startsWith('now.') ? inZone(said, isolated(timezone ?? 'UTC')) : said;
}

/** `a, b or c`. */
export function listed(parts: readonly string[], last: string): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')}${last}${parts.at(-1)}`;
}

/** `severity is at least high and label env is not "staging"`. */
export function conditionText(condition: Condition, nameOf: NameOf, isInner = false): string {
  if ('not' in condition) return texts.conditions.none(conditionText(condition.not, nameOf));
  if (!('all' in condition) && !('any' in condition)) return predicateText(condition, nameOf);
  const [parts, word] =
    'all' in condition ? [condition.all, texts.conditions.and] : [condition.any, texts.conditions.or];
  const said = parts.map((part) => conditionText(part, nameOf, parts.length > 1)).join(word);
  return isInner && parts.length > 1 ? `(${said})` : said;
}
