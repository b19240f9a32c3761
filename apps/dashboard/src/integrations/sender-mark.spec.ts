import { hueOf, lettersOf } from './sender-mark.js';

it.each([
  ['Prometheus Alertmanager', 'PA'],
  ['Grafana', 'Gr'],
  ['Elastic (Kibana)', 'EK'],
  ['Healthchecks.io', 'HI'],
  ['', '?'],
])('writes %s as %s', (name, letters) => {
  expect(lettersOf(name)).toBe(letters);
});

it('has one of eight hues, always the same', () => {
  expect(hueOf('grafana')).toBe(hueOf('grafana'));
  for (const type of ['generic', 'alertmanager', 'zabbix']) expect(hueOf(type)).toBeLessThan(8);
});
