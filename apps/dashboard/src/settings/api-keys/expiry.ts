/** When a key ends, as the form asks for it and as the API takes it: a date is the end of that day, UTC. */
export const expiryChoices = ['never', '30', '90', '365', 'date'] as const;
export type ExpiryChoice = (typeof expiryChoices)[number];

const dayMs = 86_400_000;

/** Null: the key does not end. */
export function expiryOf(choice: ExpiryChoice, date: string, now: number): string | null {
  if (choice === 'never') return null;
  if (choice === 'date') return date;
  return new Date(now + Number(choice) * dayMs).toISOString().slice(0, 10);
}
