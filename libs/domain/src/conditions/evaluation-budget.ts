/**
 * The work of evaluating conditions is limited, because users write them and they run on texts from any sender. It is
 * counted in steps of about ten nanoseconds, not in time: so a condition that cannot be evaluated is the same one on
 * every replica and at every load. Predicates that are not evaluated have no result (`conditionHolds` is null).
 */

export interface EvaluationBudget {
  /** Steps. Below zero: nothing more is evaluated. */
  left: number;
}

export const evaluationLimits = {
  /** For one condition, or all windows of one alert. */
  alone: 600_000,
  /** For all evaluations of one owner in one transaction. */
  together: 2_000_000,
  /** What each of them has in any case, and what does not count: more than common windows and conditions need. */
  free: 5_000,
} as const;

/** The budgets of several owners, of which each evaluation takes a part. */
export class SharedBudgets {
  private readonly left = new Map<string, number>();

  constructor(private readonly steps: number = evaluationLimits.together) {}

  /** Evaluates with at most `evaluationLimits.alone` of what is left to the owner. */
  evaluate<Result>(owner: string, evaluation: (budget: EvaluationBudget) => Result): Result {
    const left = this.left.get(owner) ?? this.steps;
    const given = Math.min(evaluationLimits.alone, Math.max(evaluationLimits.free, left));
    const budget = { left: given };
    const result = evaluation(budget);
    this.left.set(owner, left - Math.max(0, given - budget.left - evaluationLimits.free));
    return result;
  }
}

export const evaluationBudget = (steps: number = evaluationLimits.alone): EvaluationBudget => ({ left: steps });
