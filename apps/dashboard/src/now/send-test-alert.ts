/** Sends a test alert, and reads what has become of it so far. */
import { errorOf } from '../api/api-error.js';
import { call } from '../api/call.js';
import type { Item } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';
import { pathOfIngestUrl, type Progress } from './test-alert.js';

/** A test alert that nobody resolves ends by itself. */
const resolveAfterSeconds = 900;

export interface SentAlert {
  integrationId: string;
  fingerprint: string;
  status: number;
}

/** Throws ApiError. */
export async function sendTestAlert(): Promise<SentAlert> {
  const { id, ingestUrl } = await testIntegration();
  const fingerprint = `dashboard-test-${crypto.randomUUID()}`;
  const response = await fetch(pathOfIngestUrl(ingestUrl), {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      title: texts.now.try.alertTitle,
      description: texts.now.try.alertText,
      severity: 'critical',
      fingerprint,
      labels: { service: 'checkout', test: 'true' },
    }),
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorOf(response.status, body, response.headers.get('x-request-id'));
  return { integrationId: id, fingerprint, status: response.status };
}

/** The integration for test alerts, with a token that only this page has: a new one each time. */
async function testIntegration(): Promise<{ id: string; ingestUrl: string }> {
  const name = texts.now.try.integration;
  const { data: found } = await call('listIntegrations', { query: { q: name, limit: 100 } });
  const known = found.find((integration) => integration.name === name && integration.type === 'generic');
  if (known === undefined) {
    const body = { name, type: 'generic' as const, autoResolveAfterSeconds: resolveAfterSeconds };
    return (await call('createIntegration', { body })).data;
  }
  return (await call('rotateIntegrationToken', { path: { id: known.id } })).data;
}

/** What the integration reads from the payload: the names of the fields that have a value. */
async function mappedFields(id: string, payload: Record<string, unknown>, signal: AbortSignal): Promise<string> {
  const { data } = await call('previewIntegration', { path: { id }, body: { payload } }, { signal });
  return Object.entries(data.items[0]?.event ?? {})
    .filter(([, value]) => value !== null && JSON.stringify(value) !== '{}')
    .map(([name]) => name)
    .join(', ');
}

/** What has happened since: each step is asked for only when the one before has happened. */
export async function readProgress(sent: SentAlert, before: Progress, signal: AbortSignal): Promise<Progress> {
  const said = texts.now.try;
  const { integrationId, fingerprint } = sent;
  const progress: Progress = { request: said.requestDone(sent.status), ...before };
  if (progress.mapping === undefined) {
    const { data } = await call(
      'listIntegrationRequests',
      { path: { id: integrationId }, query: { limit: 10 } },
      { signal },
    );
    const mine = data.find(({ payload }) => payload?.includes(fingerprint));
    if (mine === undefined) return progress;
    progress.mapping = said.mappingDone(await mappedFields(integrationId, JSON.parse(mine.payload ?? '{}'), signal));
  }
  const { data: alerts } = await call('listAlerts', { query: { fingerprint: [fingerprint] } }, { signal });
  const alert = alerts[0];
  if (alert === undefined) return progress;
  progress.alert = said.alertDone(texts.ui.severity[alert.severity]);
  return { ...progress, ...(await afterAlert(alert, signal)) };
}

async function afterAlert(alert: Item<'listAlerts'>, signal: AbortSignal): Promise<Progress> {
  const said = texts.now.try;
  const progress: Progress = {};
  const [{ data: pages }, { data: notifications }] = await Promise.all([
    call('listPages', { query: { alertId: [alert.id] } }, { signal }),
    call('listNotifications', { query: { alertId: [alert.id] } }, { signal }),
  ]);
  const page = pages[0];
  const incidentId = alert.incidentId ?? page?.incidentId ?? null;
  if (incidentId !== null) {
    const { data: incident } = await call('getIncident', { path: { id: incidentId } }, { signal });
    progress.incident = said.incidentDone(incident.number);
  } else if (page?.endedAt) {
    progress.incident = said.incidentNone;
  }
  if (progress.incident === undefined || !page?.endedAt) return progress;
  progress.page = page.outcome === 'told' || page.outcome === 'joined' ? said.pageDone : (page.reason ?? said.pageDone);
  const told = notifications.find(({ status }) => status !== 'queued');
  if (told)
    progress.notification = said.notificationDone(
      texts.notifications.channels[told.channel] ?? told.channel,
      told.target,
      told.status,
    );
  return progress;
}
