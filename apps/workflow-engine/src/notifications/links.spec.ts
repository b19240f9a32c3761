import { linksFor } from './links.js';
import type { WorkflowEngineSettings } from '../settings.js';

type Subject = Parameters<typeof linksFor>[2];

const settings = { linkSecret: undefined, linkHours: 24, publicUrl: 'https://alerts.example.com/' };
const incident = { id: 'inc_1', number: 42, title: 'Checkout is slow' };
const alert = { id: 'alr_1', title: 'High CPU' };

const openLink = (environment: 'live' | 'test', subject: object): string | null =>
  linksFor(
    settings as unknown as WorkflowEngineSettings,
    {
      organizationId: 'o',
      environment,
      memberId: null,
      destination: { channel: 'email', address: 'a@b.c', name: null },
    },
    { alert: null, incident: null, ...subject } as Subject,
  ).open;

test.each([
  ['an incident', 'live', { incident, alert }, 'https://alerts.example.com/incidents/42'],
  ['an incident of test data', 'test', { incident, alert }, 'https://alerts.example.com/incidents/42?env=test'],
  ['an alert', 'live', { alert }, 'https://alerts.example.com/alerts/alr_1'],
  ['an alert of test data', 'test', { alert }, 'https://alerts.example.com/alerts/alr_1?env=test'],
  ['nothing', 'test', {}, null],
] as const)(
  'the link in a message opens the environment of its record: %s',
  (_name, environment, subject, expected) => {
    expect(openLink(environment, subject)).toBe(expected);
  },
);
