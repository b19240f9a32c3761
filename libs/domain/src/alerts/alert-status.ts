/** The four states that an event can report, and the words of other systems for them. */

export const alertStatuses = ['firing', 'resolved', 'acknowledged', 'suppressed'] as const;

export type AlertStatus = (typeof alertStatuses)[number];

/** A sender's word (lower case) and the status that it means. */
export type StatusWords = ReadonlyMap<string, AlertStatus>;

/**
 * Words with the same meaning in every monitoring tool. An unknown word is an error, never firing by default: a
 * recovery that is processed as an alert would page somebody.
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
