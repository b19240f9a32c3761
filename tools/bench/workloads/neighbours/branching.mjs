// Twelve workflows that trigger each other, with three steps each: every alert begins as many runs as one event may cause.
export const what = 'workflows that branch';
export const clients = 4;

const severities = ['low', 'medium', 'high', 'critical'];

export async function prepare({ call }) {
  for (let i = 0; i < 12; i++)
    await call('POST', '/workflows', {
      name: `b${i}`,
      trigger: { events: ['alert.created', 'alert.severityChanged'] },
      steps: [0, 1, 2].map((step) => ({
        id: `s${step}`,
        type: 'setSeverity',
        params: { severity: severities[(i + step) % severities.length] },
      })),
    });
}

export const act = ({ send, tokens }, _prepared, n) =>
  send(tokens[n % tokens.length], { title: `r${n}`, fingerprint: `r${n}`, severity: 'low' });
