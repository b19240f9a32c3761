/**
 * A filter of a list by the values of one field: `a,b` is a or b, `!a,!b` is neither of them, and `!` alone is no value.
 * A record without a value is neither of them, too.
 */

/** A value as a filter names it. */
export type Negatable<Value extends string> = Value | `!${Value}`;

export interface Choice<Value extends string = string> {
  negated: boolean;
  values: Value[];
  /** Records without a value belong to the named values. Never together with `negated`. */
  none: boolean;
}

export interface ChoiceOptions {
  /** Every possible value. Without it, any text is a value. */
  allowed?: readonly string[];
  /** The field may have no value. */
  mayBeNone?: boolean;
}

export type ParsedChoice = { kind: 'choice'; choice: Choice } | { kind: 'fault'; rule: string; message: string };

const fault = (rule: string, message: string): ParsedChoice => ({ kind: 'fault', rule, message });

/** A message completes a sentence that begins with the name of the parameter. */
export function parseChoice(
  parts: readonly string[],
  { allowed, mayBeNone = false }: ChoiceOptions = {},
): ParsedChoice {
  if (parts.length === 0) return fault('empty', 'must have a value');
  const none = parts.includes('!');
  if (none && !mayBeNone) return fault('none', 'always has a value: write ! with a value after it, for another value');
  const named = parts.filter((part) => part !== '!');
  const negatedCount = named.filter((part) => part.startsWith('!')).length;
  const negated = negatedCount > 0;
  if (negated && (none || negatedCount < named.length))
    return fault('mixed', 'must have either values, or values that all have ! in front');
  const values = [...new Set(named.map((part) => (negated ? part.slice(1) : part)))];
  if (allowed && values.some((value) => !allowed.includes(value)))
    return fault('isIn', `must be one of ${allowed.join(', ')}, or have ! in front for any other`);
  return { kind: 'choice', choice: { negated, values, none } };
}

/** The choice of a filter that was checked already. */
export function choiceOf<Value extends string>(parts: readonly Negatable<Value>[]): Choice<Value> {
  const parsed = parseChoice(parts, { mayBeNone: true });
  if (parsed.kind === 'fault') throw new Error(`an unchecked filter ${parsed.message}`);
  return parsed.choice as Choice<Value>;
}

/** The values that are chosen, for a field that always has one of these values. */
export const chosenOf = <Value extends string>(
  parts: readonly Negatable<Value>[] | undefined,
  all: readonly Value[],
): Value[] => (parts === undefined ? [...all] : all.filter((value) => isChosen(choiceOf(parts), value)));

/** Whether a record with this value is chosen. */
export function isChosen({ negated, values, none }: Choice, value: string | null): boolean {
  if (value === null) return negated || none;
  return values.includes(value) !== negated;
}
