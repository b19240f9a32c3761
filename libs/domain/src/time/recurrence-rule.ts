/**
 * Parses recurrence rules: the value of an RRULE (RFC 5545, 3.3.10), such as `FREQ=WEEKLY;BYDAY=SU`. It is stricter
 * than most libraries: an unknown part, a repeated part or a part without meaning beside the others is an error,
 * because a misunderstood rule suppresses alerts at the wrong time.
 *
 * The number of starts per hour and the size of COUNT are limited, which bounds the cost of evaluating a rule.
 */

export const frequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY'] as const;

export type Frequency = (typeof frequencies)[number];

/** Days of a week by their ISO numbers: 1 is Monday, 7 Sunday. */
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

export interface RuleDay {
  weekday: number;
  /** 2 is the second of the month or year, -1 the last, 0 every one. */
  ordinal: number;
}

export interface RuleEnd {
  /**
   * The last moment at which an occurrence may begin, in milliseconds since 1970: in UTC, or as wall time of the zone.
   */
  time: number;
  isUtc: boolean;
}

/** The parts of a rule by their names in the RFC. Negative numbers count from the end of the month or year. */
export interface RecurrenceRule {
  kind: 'rule';
  FREQ: Frequency;
  INTERVAL?: number;
  COUNT?: number;
  UNTIL?: RuleEnd;
  WKST?: number;
  BYMONTH?: number[];
  BYWEEKNO?: number[];
  BYYEARDAY?: number[];
  BYMONTHDAY?: number[];
  BYDAY?: RuleDay[];
  BYHOUR?: number[];
  BYMINUTE?: number[];
  BYSECOND?: number[];
  BYSETPOS?: number[];
}

export interface RuleFault {
  kind: 'fault';
  message: string;
}

export const ruleLimits = {
  /** Characters. */
  length: 500,
  interval: 10_000,
  count: 10_000,
  /** The maximum number of starts per hour: values of BYMINUTE times values of BYSECOND. */
  startsPerHour: 4,
} as const;

type Parts = Omit<RecurrenceRule, 'kind'>;

interface Part<Value> {
  /** Undefined when the value is invalid. */
  read: (text: string) => Value | undefined;
  /** The required form of the value. */
  form: string;
}

const wholeNumber = (text: string, least: number, most: number): number | undefined => {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  return number !== undefined && number >= least && number <= most ? number : undefined;
};

const number = (least: number, most: number): Part<number> => ({
  read: (text) => wholeNumber(text, least, most),
  form: `an integer from ${least} to ${most}`,
});

const signed = (least: number, most: number): Part<number> => ({
  read: (text) =>
    text.startsWith('-')
      ? negated(wholeNumber(text.slice(1), least, most))
      : wholeNumber(text.replace(/^\+/, ''), least, most),
  form: `an integer from ${least} to ${most}, or its negative`,
});

const negated = (value: number | undefined): number | undefined => (value === undefined ? undefined : -value);

const listOf = <Value>({ read, form }: Part<Value>): Part<Value[]> => ({
  read(text) {
    const values = text.split(',').map(read);
    return values.some((value) => value === undefined) ? undefined : (values as Value[]);
  },
  form: `${form}, or several separated by commas`,
});

const weekday: Part<number> = {
  read: (text) => weekdays.findIndex((word) => word === text) + 1 || undefined,
  form: `one of ${weekdays.join(', ')}`,
};

const ordinal = signed(1, 53);

const ruleDay: Part<RuleDay> = {
  read(text) {
    const day = weekday.read(text.slice(-2));
    const count = text.length === 2 ? 0 : ordinal.read(text.slice(0, -2));
    return day === undefined || count === undefined ? undefined : { weekday: day, ordinal: count };
  },
  form: `${weekday.form}, optionally preceded by a number such as 2 or -1`,
};

/** As RFC 5545 requires for a rule in local time; also a date alone, which means the whole of that day in the zone. */
const ruleEnd: Part<RuleEnd> = {
  read(text) {
    const [, year, month, day, hours = '23', minutes = '59', seconds = '59'] =
      /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(text) ?? [];
    const written = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}`;
    const time = Date.parse(`${written}.000Z`);
    // Date parses 30 February as 1 March.
    if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(written)) return undefined;
    return { time, isUtc: text.endsWith('Z') };
  },
  form: 'a time in UTC such as 20261231T225959Z, or a date such as 20261231',
};

const frequency: Part<Frequency> = {
  read: (text) => frequencies.find((word) => word === text),
  form: `one of ${frequencies.join(', ')}`,
};

const parts: { readonly [Name in keyof Required<Parts>]: Part<NonNullable<Parts[Name]>> } = {
  FREQ: frequency,
  INTERVAL: number(1, ruleLimits.interval),
  COUNT: number(1, ruleLimits.count),
  UNTIL: ruleEnd,
  WKST: weekday,
  BYMONTH: listOf(number(1, 12)),
  BYWEEKNO: listOf(signed(1, 53)),
  BYYEARDAY: listOf(signed(1, 366)),
  BYMONTHDAY: listOf(signed(1, 31)),
  BYDAY: listOf(ruleDay),
  BYHOUR: listOf(number(0, 23)),
  BYMINUTE: listOf(number(0, 59)),
  BYSECOND: listOf(number(0, 59)),
  BYSETPOS: listOf(signed(1, 366)),
};

const hasOrdinals = ({ BYDAY = [] }: Parts): boolean => BYDAY.some((day) => day.ordinal !== 0);
const startsPerHour = ({ BYMINUTE = [0], BYSECOND = [0] }: Parts): number => BYMINUTE.length * BYSECOND.length;
const selects = (rule: Parts): boolean =>
  Object.keys(rule).some((name) => name.startsWith('BY') && name !== 'BYSETPOS');

/** Parts that cannot be combined, by the table and the notes of RFC 5545, 3.3.10, and our own limit. */
const conflicts: readonly [applies: (rule: Parts) => boolean, message: string][] = [
  [({ COUNT, UNTIL }) => COUNT !== undefined && UNTIL !== undefined, 'must not have both COUNT and UNTIL'],
  [({ FREQ, BYWEEKNO }) => BYWEEKNO !== undefined && FREQ !== 'YEARLY', 'may have BYWEEKNO only with FREQ=YEARLY'],
  [
    ({ FREQ, BYYEARDAY }) => BYYEARDAY !== undefined && FREQ !== 'YEARLY' && FREQ !== 'HOURLY',
    'may have BYYEARDAY only with FREQ=YEARLY and FREQ=HOURLY',
  ],
  [
    ({ FREQ, BYMONTHDAY }) => BYMONTHDAY !== undefined && FREQ === 'WEEKLY',
    'must not have BYMONTHDAY with FREQ=WEEKLY',
  ],
  [
    (rule) => hasOrdinals(rule) && rule.FREQ !== 'YEARLY' && rule.FREQ !== 'MONTHLY',
    'may have numbers in BYDAY only with FREQ=YEARLY and FREQ=MONTHLY',
  ],
  [(rule) => hasOrdinals(rule) && rule.BYWEEKNO !== undefined, 'must not have numbers in BYDAY together with BYWEEKNO'],
  [(rule) => rule.BYSETPOS !== undefined && !selects(rule), 'may have BYSETPOS only together with another BY part'],
  [
    (rule) => startsPerHour(rule) > ruleLimits.startsPerHour,
    `may begin at most ${ruleLimits.startsPerHour} times in an hour`,
  ],
];

const fault = (message: string): RuleFault => ({ kind: 'fault', message });

/** Parses a rule, with or without the prefix `RRULE:`, regardless of case. */
export function parseRecurrenceRule(text: string): RecurrenceRule | RuleFault {
  if (text.length > ruleLimits.length) return fault(`a rule may have at most ${ruleLimits.length} characters`);
  const rule: Record<string, unknown> = {};
  for (const piece of text
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')) {
    const [, name = '', written = ''] = /^([A-Z]+)=(.*)$/.exec(piece) ?? [];
    if (!isPartName(name)) return fault(`"${piece}" is not a known part of a rule, such as FREQ=DAILY`);
    if (Object.hasOwn(rule, name)) return fault(`${name} is repeated`);
    rule[name] = parts[name].read(written);
    if (rule[name] === undefined) return fault(`${name} must be ${parts[name].form}`);
  }
  if (rule.FREQ === undefined) return fault('FREQ is missing');
  const conflict = conflicts.find(([applies]) => applies(rule as unknown as Parts));
  return conflict === undefined ? ({ kind: 'rule', ...rule } as RecurrenceRule) : fault(`a rule ${conflict[1]}`);
}

const isPartName = (name: string): name is keyof Parts => Object.hasOwn(parts, name);
