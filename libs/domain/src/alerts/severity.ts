/** The five severities, and the words of other systems for them. */

/** Most severe first: the order for conditions such as `severity gte high`. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

export type Severity = (typeof severities)[number];

/** A sender's word (lower case) and the severity that it means. */
export type SeverityWords = ReadonlyMap<string, Severity>;

export const ownSeverities: SeverityWords = new Map(severities.map((severity) => [severity, severity]));

/** Words with the same meaning in every monitoring tool, so that no integration has to map them. */
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
 * Words that mean "no problem". In a resolving event they do not tell the severity of the alert; in other events they
 * mean the lowest severity.
 */
const wellWords = ['ok', 'okay', 'normal', 'clear', 'cleared', 'green', 'up'] as const;

export const wellKnownSeverities: SeverityWords = new Map<string, Severity>([
  ...severities.flatMap((severity) => commonWords[severity].map((word) => [word, severity] as const)),
  ...wellWords.map((word) => [word, 'info'] as const),
  ...ownSeverities,
]);

const well: ReadonlySet<string> = new Set(wellWords);

/** Whether a word (lower case) means "no problem". */
export const saysAllIsWell = (word: string): boolean => well.has(word);
