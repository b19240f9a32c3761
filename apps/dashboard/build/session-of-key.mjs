// For work on the dashboard: with DASHBOARD_API_KEY, the development server sends this key with each request, and no
// sign-in is needed. The key never reaches the browser or a build.
export function sessionOfKey(apiKey = process.env['DASHBOARD_API_KEY']) {
  return {
    name: 'session-of-key',
    config: () =>
      apiKey === undefined
        ? undefined
        : { server: { proxy: { '/api': { headers: { authorization: `Bearer ${apiKey}` } } } } },
    configureServer(server) {
      if (apiKey === undefined) return;
      server.middlewares.use('/api/v1/session', (_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ data: sessionOf(apiKey) }));
      });
    },
  };
}

const sessionOf = (apiKey) => ({
  account: { email: 'developer@localhost.example' },
  member: { id: 'usr_0', name: 'Developer', role: 'owner', timezone: 'UTC' },
  organization: { id: 'org_0', name: 'Development' },
  organizations: [{ id: 'org_0', name: 'Development' }],
  scopes: [
    'alerts',
    'incidents',
    'clients',
    'workflows',
    'schedules',
    'integrations',
    'suppression',
    'users',
    'teams',
    'escalation_policies',
    'organization',
    'api_keys',
    'audit',
  ].flatMap((noun) => [`${noun}:read`, `${noun}:write`]),
  csrfToken: '',
  environment: apiKey.startsWith('svc_test_') ? 'test' : 'live',
  expiresAt: '2099-01-01T00:00:00.000Z',
});
