/** The five severities, and the words of other systems for them. */

/** Most severe first: the order for conditions such as `severity gte high`. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

export type Severity = (typeof severities)[number];

/** A sender's word (lower case) and the severity that it means. */
export type SeverityWords = ReadonlyMap<string, Severity>;

/** Words with the same meaning in every monitoring tool: no integration has to map them. */
const commonWords: Record<Severity, readonly string[]> = {
  critical: [
    'crit',
    'fatal',
    'emergency',
    'emerg',
    'panic',
    'disaster',
    'blocker',
    'p0',
    'p1',
    'sev0',
    'sev1',
    'sev-0',
    'sev-1',
    'sev 0',
    'sev 1',
  ],
  high: ['error', 'err', 'alert', 'severe', 'major', 'p2', 'sev2', 'sev-2', 'sev 2'],
  medium: ['warning', 'warn', 'moderate', 'average', 'p3', 'sev3', 'sev-3', 'sev 3'],
  low: ['minor', 'p4', 'sev4', 'sev-4', 'sev 4'],
  info: ['information', 'informational', 'notice', 'debug', 'trivial', 'none', 'p5', 'sev5', 'sev-5', 'sev 5'],
};

/**
 * Words that mean "no problem". In a resolving event they do not tell the severity of the alert; in other events they
 * mean the lowest severity.
 */
const noProblemWords = [
  'ok',
  'okay',
  'normal',
  'clear',
  'cleared',
  'green',
  'healthy',
  'recovered',
  'resolved',
  'up',
] as const;

/** Known to every integration. */
export const wellKnownSeverities: SeverityWords = new Map<string, Severity>([
  ...severities.flatMap((severity) => commonWords[severity].map((word) => [word, severity] as const)),
  ...noProblemWords.map((word) => [word, 'info'] as const),
  ...severities.map((severity) => [severity, severity] as const),
]);

/** Also known where settings map the payload. The standard payload does not accept this word. */
export const mappedSeverities: SeverityWords = new Map<string, Severity>([...wellKnownSeverities, ['urgent', 'high']]);

const noProblem: ReadonlySet<string> = new Set(noProblemWords);

/** Whether a word (lower case) means "no problem". */
export const meansNoProblem = (word: string): boolean => noProblem.has(word);
