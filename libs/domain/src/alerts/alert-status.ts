/** The four states an event can report, and what the words of other systems mean in them. */

export const alertStatuses = ['firing', 'resolved', 'acknowledged', 'suppressed'] as const;

export type AlertStatus = (typeof alertStatuses)[number];

/** A sender's words (lower case) and the status each stands for. */
export type StatusWords = ReadonlyMap<string, AlertStatus>;

/**
 * Words that mean the same wherever they are used. A word that is not here is a fault, never firing by default: a
 * recovery that is taken for an alert wakes somebody up.
 */
const commonWords: Record<AlertStatus, readonly string[]> = {
  firing: [
    'alarm',
    'alert',
    'alerting',
    'active',
    'activated',
    'create',
    'created',
    'critical',
    'down',
    'error',
    'failed',
    'failing',
    'failure',
    'fired',
    'new',
    'no data',
    'nodata',
    'open',
    'opened',
    'problem',
    'reopened',
    're-triggered',
    'trigger',
    'triggered',
    'unhealthy',
    'unresolved',
    'warn',
    'warning',
  ],
  resolved: [
    'clear',
    'cleared',
    'close',
    'closed',
    'fixed',
    'healthy',
    'inactive',
    'normal',
    'ok',
    'okay',
    'recover',
    'recovered',
    'recovery',
    'resolve',
    'restored',
    'success',
    'up',
  ],
  acknowledged: ['ack', 'acked', 'acknowledge', 'acknowledgement', 'acknowledgment'],
  suppressed: ['inhibited', 'maintenance', 'muted', 'silenced', 'snoozed', 'suppress'],
};

export const wellKnownStatuses: StatusWords = new Map(
  alertStatuses.flatMap((status) => [
    [status, status] as const,
    ...commonWords[status].map((word) => [word, status] as const),
  ]),
);
