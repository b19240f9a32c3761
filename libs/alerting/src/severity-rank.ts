import { severities, type Severity } from '@ams/domain';

/** Severities are stored as a rank, so that they sort: critical 4, high 3, medium 2, low 1, info 0. */
export const severityRank = (severity: Severity): number => severities.length - 1 - severities.indexOf(severity);

export function severityOfRank(rank: number): Severity {
  const severity = severities[severities.length - 1 - rank];
  if (!severity) throw new RangeError(`no severity has the rank ${rank}`);
  return severity;
}
