/** The steps of a test alert, in the order in which they happen. */
export const stepNames = ['request', 'mapping', 'alert', 'incident', 'page', 'notification'] as const;
export type StepName = (typeof stepNames)[number];

/** What each step that has happened says. */
export type Progress = Partial<Record<StepName, string>>;

export const nextStep = (progress: Progress): StepName | null =>
  stepNames.find((name) => progress[name] === undefined) ?? null;

export const isComplete = (progress: Progress): boolean => nextStep(progress) === null;

/** The path on this server of the URL that a sender uses: the gateway forwards it. */
export const pathOfIngestUrl = (url: string): string => new URL(url).pathname;
