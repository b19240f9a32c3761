// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { listOfSettings, operatorSettings } from '../../../tools/start/operator-settings.mjs';

const environment = {
  LOG_LEVEL: 'debug',
  OUTBOUND_ALLOW: '10.0.0.0/8',
  LINK_HOURS: '2',
  DATABASE_POOL: '3',
  TRUST_PROXY: 'true',
  RUN_DAYS: '',
  HTTP_PORT: '1',
  DATABASE_URL: 'postgres://other',
  INGEST_URL: 'http://other',
  HOME: '/root',
};

it.each([
  ['notifier', { LOG_LEVEL: 'debug', OUTBOUND_ALLOW: '10.0.0.0/8' }],
  ['workflow-engine', { LOG_LEVEL: 'debug', LINK_HOURS: '2', DATABASE_POOL: '3' }],
  ['api-gateway', { LOG_LEVEL: 'debug', TRUST_PROXY: 'true' }],
  ['ingest-gateway', { LOG_LEVEL: 'debug' }],
])(
  'npm start gives %s the settings that the operator set, without those that the start decides',
  (service, settings) => {
    expect(operatorSettings(service, environment)).toEqual(settings);
  },
);

it('the help of npm start names every setting that is passed on', () => {
  for (const name of ['OUTBOUND_ALLOW', 'LINK_HOURS', 'API_LIMIT_PER_MINUTE', 'PIPELINE_BATCH'])
    expect(listOfSettings()).toContain(name);
  expect(listOfSettings()).not.toContain('INGEST_URL');
});
