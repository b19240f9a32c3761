/** Recurrence rules that are made by choices, and back. Any other rule stays as it is: `custom`. */
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof weekdays)[number];

export type Monthly = { on: 'start' } | { on: 'date'; date: number } | { on: 'day'; nth: number; weekday: Weekday };

export type Repetition =
  | { kind: 'DAILY'; every: number }
  | { kind: 'WEEKLY'; every: number; days: Weekday[] }
  | { kind: 'MONTHLY'; every: number; monthly: Monthly }
  | { kind: 'custom'; rule: string };

const isWeekday = (text: string): text is Weekday => (weekdays as readonly string[]).includes(text);

export function repetitionOf(rule: string): Repetition {
  const custom: Repetition = { kind: 'custom', rule };
  const entries = rule.split(';').map((part) => part.split('='));
  const parts = new Map(entries.map(([name = '', value = '']) => [name, value]));
  if (parts.size !== entries.length || rule !== ruleInOrder(parts)) return custom;
  const every = Number(parts.get('INTERVAL') ?? 1);
  if (!Number.isInteger(every) || every < 1) return custom;
  const [days, date] = [parts.get('BYDAY'), parts.get('BYMONTHDAY')];
  switch (parts.get('FREQ')) {
    case 'DAILY':
      return days === undefined && date === undefined ? { kind: 'DAILY', every } : custom;
    case 'WEEKLY': {
      const names = days?.split(',') ?? [];
      return date === undefined && names.every(isWeekday) && new Set(names).size === names.length
        ? { kind: 'WEEKLY', every, days: weekdays.filter((day) => names.includes(day)) }
        : custom;
    }
    case 'MONTHLY': {
      const monthly = monthlyOf(days, date);
      return monthly === null ? custom : { kind: 'MONTHLY', every, monthly };
    }
    default:
      return custom;
  }
}

const known = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY'] as const;

/** The rule with the known parts only; it differs when there are others. */
const ruleInOrder = (parts: ReadonlyMap<string, string>): string =>
  [...parts]
    .filter(([name]) => known.some((one) => one === name))
    .map(([name, value]) => `${name}=${value}`)
    .join(';');

function monthlyOf(days: string | undefined, date: string | undefined): Monthly | null {
  if (days === undefined && date === undefined) return { on: 'start' };
  if (days !== undefined && date !== undefined) return null;
  if (date !== undefined) return /^([1-9]|[12]\d|3[01])$/.test(date) ? { on: 'date', date: Number(date) } : null;
  const [, nth, weekday = ''] = /^(-1|[1-4])([A-Z]{2})$/.exec(days ?? '') ?? [];
  return isWeekday(weekday) ? { on: 'day', nth: Number(nth), weekday } : null;
}

export function ruleOf(repetition: Repetition): string {
  if (repetition.kind === 'custom') return repetition.rule;
  const { kind, every } = repetition;
  const parts = [`FREQ=${kind}`, ...(every === 1 ? [] : [`INTERVAL=${every}`])];
  if (kind === 'WEEKLY' && repetition.days.length > 0) parts.push(`BYDAY=${repetition.days.join(',')}`);
  if (kind === 'MONTHLY' && repetition.monthly.on === 'date') parts.push(`BYMONTHDAY=${repetition.monthly.date}`);
  if (kind === 'MONTHLY' && repetition.monthly.on === 'day') {
    parts.push(`BYDAY=${repetition.monthly.nth}${repetition.monthly.weekday}`);
  }
  return parts.join(';');
}

/** What a form begins with when another kind is chosen. */
export function repetitionFor(kind: Repetition['kind'], before: Repetition): Repetition {
  const every = before.kind === 'custom' ? 1 : before.every;
  switch (kind) {
    case 'DAILY':
      return { kind, every };
    case 'WEEKLY':
      return { kind, every, days: [] };
    case 'MONTHLY':
      return { kind, every, monthly: { on: 'start' } };
    case 'custom':
      return { kind, rule: ruleOf(before) };
  }
}
