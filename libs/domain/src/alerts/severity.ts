/** The five severities, and what the words of other systems mean in them. */

/** Most severe first: the order of conditions such as `severity gte high`. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

export type Severity = (typeof severities)[number];

/** A sender's words (lower case) and the severity each stands for. */
export type SeverityWords = ReadonlyMap<string, Severity>;

export const ownSeverities: SeverityWords = new Map(severities.map((severity) => [severity, severity]));

/** Words that mean the same wherever they are used, so that no integration has to map them. */
const commonWords: Record<Severity, readonly string[]> = {
  critical: [
    'crit',
    'fatal',
    'emergency',
    'emerg',
    'panic',
    'disaster',
    'blocker',
    'p1',
    'sev0',
    'sev1',
    'sev-0',
    'sev-1',
  ],
  high: ['error', 'err', 'alert', 'severe', 'major', 'urgent', 'p2', 'sev2', 'sev-2'],
  medium: ['warning', 'warn', 'moderate', 'average', 'p3', 'sev3', 'sev-3'],
  low: ['minor', 'p4', 'sev4', 'sev-4'],
  info: ['information', 'informational', 'notice', 'debug', 'trivial', 'none', 'p5', 'sev5', 'sev-5'],
};

/**
 * Words that say all is well. In a message that resolves they say nothing about how bad the alert was; in any other
 * they are the mildest severity.
 */
const wellWords = ['ok', 'okay', 'normal', 'clear', 'cleared', 'green', 'up'] as const;

export const wellKnownSeverities: SeverityWords = new Map<string, Severity>([
  ...severities.flatMap((severity) => commonWords[severity].map((word) => [word, severity] as const)),
  ...wellWords.map((word) => [word, 'info'] as const),
  ...ownSeverities,
]);

const well: ReadonlySet<string> = new Set(wellWords);

/** Whether a word (lower case) tells that nothing is wrong. */
export const saysAllIsWell = (word: string): boolean => well.has(word);
