/**
 * Names for statements that a process repeats, so that each connection parses and plans them once: for most of our
 * statements PostgreSQL needs longer to plan than to execute. PostgreSQL itself decides for each named statement whether
 * a plan for all parameters is as good as one for these (`plan_cache_mode`).
 */

/** A text is named when it is used for this time: many texts are built for one request. */
const usesUntilNamed = 3;
/** Each connection keeps the plans of all named statements. */
const maxNames = 200;
/** The texts whose uses are counted. */
const maxCounted = 1000;

const isQuery = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;
/** The columns that such a text returns change with the schema, and PostgreSQL then refuses the plan. */
const returnsAnyColumn = /\b(SELECT|RETURNING)\s+\*|\.\*/i;

export class StatementNames {
  private readonly uses = new Map<string, number>();
  private readonly names = new Map<string, string>();
  private readonly refused = new Set<string>();
  /** The names of a generation are used by no other one: connections keep the statements of earlier ones. */
  private generation = 1;

  /** Counts a use of the text. Undefined: it has no name. */
  nameOf(text: string): string | undefined {
    const name = this.names.get(text);
    if (name !== undefined) return name;
    if (this.names.size >= maxNames || this.refused.has(text)) return undefined;
    const uses = (this.uses.get(text) ?? 0) + 1;
    this.uses.delete(text);
    if (uses < usesUntilNamed) {
      this.uses.set(text, uses);
      const [oldest] = this.uses.keys();
      if (this.uses.size > maxCounted && oldest !== undefined) this.uses.delete(oldest);
      return undefined;
    }
    if (!isQuery.test(text) || returnsAnyColumn.test(text)) {
      if (this.refused.size < maxCounted) this.refused.add(text);
      return undefined;
    }
    const added = `repeated ${this.generation}.${this.names.size + 1}`;
    this.names.set(text, added);
    return added;
  }

  /** The schema has changed under the plans. New names make new plans; the texts are counted again. */
  forgetAll(): void {
    this.generation++;
    this.names.clear();
  }
}
