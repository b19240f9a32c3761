// The list of firing alerts of Alertmanager, ours, and the differences.

export async function theirAlerts(alertmanager) {
  const query = 'active=true&silenced=false&inhibited=false&unprocessed=false';
  const response = await fetch(`${alertmanager.url}/api/v2/alerts?${query}`, { signal: AbortSignal.timeout(5000) });
  if (!response.ok) throw new Error(`Alertmanager answered ${response.status}`);
  return response.json();
}

/** `rule/host` */
export const keyOf = ({ labels }) => `${labels.alertname}/${labels.host}`;
const byKey = (alerts) => new Map(alerts.map((alert) => [keyOf(alert), alert]));

/** Our texts are those of the sender, up to our limits. */
const titleLimit = 1024;

/** Sentences about the differences; none when both lists are equal. */
export function differences(theirs, ours, expected) {
  const [their, our] = [byKey(theirs), byKey(ours)];
  const found = [];
  const compare = (key, what, ourValue, theirValue) => {
    if (ourValue !== theirValue)
      found.push(`${key}: ${what} is ${JSON.stringify(ourValue)}, not ${JSON.stringify(theirValue)}`.slice(0, 400));
  };
  if (our.size !== ours.length) found.push(`${ours.length} open alerts have ${our.size} different names`);
  for (const key of expected) if (!their.has(key)) found.push(`${key}: Alertmanager does not have it yet`);
  for (const key of our.keys()) if (!their.has(key)) found.push(`${key}: fires here, and not in Alertmanager`);
  for (const [key, alert] of their) {
    if (!expected.includes(key)) found.push(`${key}: Alertmanager still has it`);
    const same = our.get(key);
    if (!same) {
      found.push(`${key}: missing here`);
      continue;
    }
    const { summary, description = null } = alert.annotations;
    if (same.title !== summary && (summary.length <= titleLimit || !summary.startsWith(same.title.slice(0, -1))))
      compare(key, 'title', same.title, summary);
    compare(key, 'description', same.description, description);
    compare(key, 'generator_url', same.annotations.generator_url, alert.generatorURL);
    compare(key, 'runbook_url', same.annotations.runbook_url, alert.annotations.runbook_url);
    compare(key, 'fingerprint', same.fingerprint, alert.fingerprint);
    for (const [name, value] of Object.entries(alert.labels)) compare(key, `label ${name}`, same.labels[name], value);
  }
  return found;
}
