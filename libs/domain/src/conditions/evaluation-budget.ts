/**
 * The work of evaluating conditions is limited, because users write them and they run on texts from any sender. It is
 * counted in steps of about ten nanoseconds, not in time: so a condition that cannot be evaluated is the same one on
 * every replica and at every load. Predicates that are not evaluated have no result (`conditionHolds` is null).
 */

export interface EvaluationBudget {
  /** Steps. Below zero: nothing more is evaluated. */
  left: number;
  /** Of evaluations that take steps together. What several of them need alike is taken once: `known` is the rest. */
  series?: { readonly number: number; known: number };
}

let lastSeries = 0;

export const newSeries = (): NonNullable<EvaluationBudget['series']> => ({ number: ++lastSeries, known: 0 });

export const evaluationLimits = {
  /** For one condition, or all windows of one alert. */
  alone: 200_000,
  /** For all evaluations of one owner in one transaction. */
  together: 600_000,
  /** What each of them has in any case, and what does not count: more than common windows and conditions need. */
  free: 5_000,
} as const;

/** The budgets of several owners, of which each evaluation takes a part. */
export class SharedBudgets {
  private readonly left = new Map<string, number>();
  private readonly series = newSeries().number;

  constructor(private readonly steps: number = evaluationLimits.together) {}

  /** Evaluates with `evaluationLimits.alone`; if nothing is left to the owner, with `evaluationLimits.free`. */
  evaluate<Result>(owner: string, evaluation: (budget: EvaluationBudget) => Result): Result {
    const left = this.left.get(owner) ?? this.steps;
    const given = left > 0 ? evaluationLimits.alone : evaluationLimits.free;
    const budget = { left: given, series: { number: this.series, known: 0 } };
    const result = evaluation(budget);
    const taken = given - budget.left - budget.series.known;
    this.left.set(owner, left - Math.max(0, taken - evaluationLimits.free));
    return result;
  }
}

export const evaluationBudget = (steps: number = evaluationLimits.alone): EvaluationBudget => ({ left: steps });
