/**
 * References between the operations of a batch. The text `$team` stands for the id of what the earlier operation `team`
 * made, as a whole value in a body or as a whole segment of a path. A text that names no operation is only a text.
 */

/** The form of the id of an operation, in a batch. */
export const batchIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

const nameIn = (text: string): string | null => (text.startsWith('$') ? text.slice(1) : null);

/** The names that are referred to, each once. `known`: the operations of the batch. */
export function referencesIn(value: unknown, known: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  const visit = (below: unknown): void => {
    if (typeof below === 'string') {
      const name = nameIn(below);
      if (name !== null && known.has(name)) names.add(name);
    } else if (typeof below === 'object' && below !== null) Object.values(below).forEach(visit);
  };
  visit(value);
  return [...names];
}

/** The value with the ids in place of the references. */
export function withReferences(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const name = nameIn(value);
    return name === null ? value : (ids.get(name) ?? value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((below) => withReferences(below, ids));
  // Defined, not assigned: a field may be called __proto__.
  const copy: Record<string, unknown> = {};
  for (const [name, below] of Object.entries(value)) {
    Object.defineProperty(copy, name, {
      value: withReferences(below, ids),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}
