/**
 * Bodies of answers in the form of Opsgenie's API. Source: https://docs.opsgenie.com/docs/response. `senderRefusal` has
 * the errors.
 */
import type { Alert, Heartbeat, SenderEventResult } from '@ams/contracts';
import { tagsLabel, tagsOf, type Severity } from '@ams/domain';
import type { RequestContext } from './request-context.js';

type Asked = Pick<RequestContext, 'started' | 'requestId'>;

/** Seconds. */
const took = ({ started }: Pick<RequestContext, 'started'>): number => Math.round(performance.now() - started) / 1000;

export const answerOf = (context: Asked, body: object, requestId = context.requestId): string =>
  JSON.stringify({ ...body, took: took(context), requestId });

/** `eventId`: the sender can get the result by this id. Null when nothing was stored. */
export const processed = (context: Asked, eventId: string | null): string =>
  answerOf(context, { result: 'Request will be processed' }, eventId ?? context.requestId);

const statusOf: Record<string, string> = {
  opened: 'Created alert',
  occurred: 'Updated alert',
  acknowledged: 'Acknowledged alert',
  resolved: 'Closed alert',
  edited: 'Edited alert',
  unchanged: 'Alert has these values already',
  noMatch: 'Alert does not exist',
};

export const resultOf = (
  context: Asked,
  requestId: string,
  integrationId: string,
  { outcome, appliedTo }: SenderEventResult,
): string => {
  const success = outcome !== 'noMatch';
  return answerOf(
    context,
    {
      data: {
        success,
        isSuccess: success,
        status: statusOf[outcome] ?? 'Request is processed',
        integrationId,
        alertId: appliedTo?.id ?? '',
        alias: appliedTo?.fingerprint ?? '',
      },
    },
    requestId,
  );
};

const priorities: Record<Severity, string> = { critical: 'P1', high: 'P2', medium: 'P3', low: 'P4', info: 'P5' };

/** The alias is the fingerprint. Labels are details, except the tags and the entity. */
export function alertBody(alert: Alert): object {
  const { [tagsLabel]: _tags, entity = '', ...details } = alert.labels;
  return {
    id: alert.id,
    alias: alert.fingerprint,
    message: alert.title,
    description: alert.description ?? '',
    status: alert.status === 'resolved' ? 'closed' : 'open',
    acknowledged: alert.acknowledgedAt !== null,
    isSeen: alert.acknowledgedAt !== null,
    snoozed: false,
    tags: tagsOf(alert.labels),
    details,
    entity,
    count: alert.occurrenceCount,
    source: alert.source ?? '',
    priority: priorities[alert.severity],
    owner: '',
    teams: [],
    responders: [],
    integration: { id: alert.integrationId, type: 'API' },
    createdAt: alert.createdAt,
    updatedAt: alert.updatedAt,
    lastOccurredAt: alert.lastOccurredAt,
  };
}

export const heartbeatBody = ({ lastPingTime, alertMessage, description, ...heartbeat }: Heartbeat): object => ({
  ...heartbeat,
  description: description ?? '',
  alertMessage: alertMessage ?? '',
  ...(lastPingTime !== null && { lastPingTime }),
});
