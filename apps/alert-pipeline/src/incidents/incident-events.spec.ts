import { streamManager } from '@ams/testing';
import {
  auditStream,
  newUuid,
  publicId,
  uuidOf,
  workflowCommandRequest,
  type AuditRecord,
  type IncidentEvent,
  type WorkflowCommand,
} from '@ams/contracts';
import { testIncidents } from '../../testing/incidents.js';
import { startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

const { opened, changed, fired } = testIncidents(() => pipeline);

describe('published events', () => {
  const eventsOf = async (sender: Sender): Promise<IncidentEvent[]> =>
    (await pipeline.published(sender)).filter((event): event is IncidentEvent => 'incident' in event);

  test('show every change of an incident once with its cause, and the incident as cause of alert changes', async () => {
    const sender = await pipeline.newSender();
    const alertIds = await fired(sender, 'cpu');
    const { id } = await opened(sender, { alertIds });
    await changed(sender, id, { status: 'acknowledged' });
    await changed(sender, id, { note: 'x' });
    await changed(sender, id, { status: 'resolved', resolveAlerts: true });
    const incidents = await eventsOf(sender);
    expect(incidents.map(({ type, incident, cause, depth }) => [type, incident.version, cause.type, depth])).toEqual([
      ['incident.created', 1, 'request', 0],
      ['incident.acknowledged', 2, 'request', 0],
      ['incident.noted', 3, 'request', 0],
      ['incident.resolved', 4, 'request', 0],
      ['incident.updated', 5, 'alert', 0],
    ]);
    const alerts = (await pipeline.published(sender)).filter((event) => 'alert' in event);
    expect(alerts.map(({ type, alert, cause, depth }) => [type, alert.version, cause.type, depth])).toEqual([
      ['alert.created', 1, 'event', 0],
      ['alert.addedToIncident', 2, 'request', 0],
      ['alert.acknowledged', 3, 'incident', 0],
      ['alert.resolved', 4, 'incident', 0],
    ]);
    expect(new Set(incidents.map(({ incident }) => incident.id))).toEqual(new Set([id]));
    expect(incidents.at(-1)).toMatchObject({
      environment: 'live',
      cause: { id: alertIds[0] },
      incident: { status: 'resolved', alertCount: 1, openAlertCount: 0 },
    });
    const { rows } = await pipeline.admin.query<{ id: string }>(
      'SELECT id FROM alerts.incident_timeline WHERE organization_id = $1 ORDER BY incident_version',
      [sender.organizationId],
    );
    expect(incidents.map((event) => event.id)).toEqual(rows.map((row) => publicId('timelineEntry', row.id)));
  });

  test('have the depth and the first event of the workflows that caused them, also for an incident that autoResolve ends', async () => {
    const sender = await pipeline.newSender();
    const [alert] = await fired(sender, 'cpu');
    const { id } = await opened(sender, { alertIds: [alert] });
    await pipeline.admin.query('UPDATE alerts.incidents SET auto_resolve = true WHERE id = $1', [
      uuidOf('incident', id),
    ]);
    const rootEventId = newUuid();
    const command: WorkflowCommand = {
      organizationId: sender.organizationId,
      environment: 'live',
      workflow: { id: newUuid(), name: 'w' },
      runId: newUuid(),
      depth: 3,
      rootEventId,
      alertId: uuidOf('alert', alert ?? ''),
      incidentId: null,
      body: { kind: 'resolve' },
    };
    await pipeline.nats.request(workflowCommandRequest.subject, JSON.stringify(command), { timeout: 20_000 });
    const told = (await pipeline.published(sender)).filter(({ type }) => type.endsWith('.resolved'));
    const shown = told.map((event) => [event.type, event.depth, event.rootEventId, event.actor.type]);
    expect(shown.sort()).toEqual([
      ['alert.resolved', 3, rootEventId, 'workflow'],
      ['incident.resolved', 3, rootEventId, 'workflow'],
    ]);
  });

  test('the audit log shows who made the change', async () => {
    const sender = await pipeline.newSender();
    const { id } = await opened(sender);
    await changed(sender, id, { status: 'acknowledged' });
    await changed(sender, id, { status: 'acknowledged' });
    await pipeline.published(sender);
    const manager = await streamManager(pipeline.nats);
    const { state } = await manager.streams.info(auditStream);
    const entries: AuditRecord[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq++)
      entries.push((await manager.streams.getMessage(auditStream, { seq }))?.json<AuditRecord>() as AuditRecord);
    const mine = entries.filter(({ organizationId }) => organizationId === sender.organizationId);
    expect(mine.map(({ type, resource, requestId }) => [type, resource, requestId])).toEqual([
      ['incident.created', { type: 'incident', id }, 'r'],
      ['incident.acknowledged', { type: 'incident', id }, 'r'],
    ]);
  });
});
