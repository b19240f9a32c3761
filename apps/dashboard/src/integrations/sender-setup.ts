/**
 * How a sender is told to send to an integration: sentences, and configuration to copy with the ingest URL in it. The
 * sentences come from the presets (docs/ingest.md); a sender that has a configuration file also has it here.
 */
export type SetupPart = { kind: 'text'; text: string } | { kind: 'code'; title: string; text: string };

export interface Address {
  ingestUrl: string;
  token: string;
}

/** The parts in the order in which a reader follows them. */
export function setupOf(type: string, setup: string, address: Address): SetupPart[] {
  const [title, text] = configurations[type]?.(address) ?? [];
  const own: SetupPart[] = title !== undefined && text !== undefined ? [{ kind: 'code', title, text }] : [];
  const sentences = setup
    .replaceAll('{base_url}', new URL(address.ingestUrl).origin)
    .replaceAll('<ingest URL>', address.ingestUrl);
  if (wholeInConfiguration.has(type)) return own;
  return [...splitAtJson(sentences), ...own];
}

/** Their sentence is the configuration itself. */
const wholeInConfiguration = new Set(['netdata_agent']);

/** JSON in a sentence becomes code, with the rest of the sentence before and after it. */
export function splitAtJson(text: string): SetupPart[] {
  const start = text.indexOf('{"');
  const end = start < 0 ? -1 : closingBrace(text, start);
  if (end < 0) return text.trim() === '' ? [] : [{ kind: 'text', text: text.trim() }];
  const before = text.slice(0, start).trim();
  const after = text.slice(end + 1).replace(/^[.,;]\s*/, '');
  return [
    ...(before === '' ? [] : [{ kind: 'text' as const, text: before }]),
    { kind: 'code', title: 'JSON', text: indented(text.slice(start, end + 1)) },
    ...splitAtJson(after),
  ];
}

function closingBrace(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if (text[i] === '{') depth += 1;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  return -1;
}

/** Templates are JSON before their placeholders are filled in; others stay as they are. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A request that any sender could make, to try the integration from a terminal. */
export function tryIt(type: string, { ingestUrl, token }: Address): string {
  const { origin } = new URL(ingestUrl);
  if (type === 'pagerduty_events_v2') {
    return curl(`${origin}/v2/enqueue`, {
      routing_key: token,
      event_action: 'trigger',
      dedup_key: 'try-it',
      payload: { summary: 'Disk is almost full', source: 'web-01', severity: 'warning' },
    });
  }
  if (type === 'opsgenie') {
    return curl(
      `${origin}/v2/alerts`,
      { message: 'Disk is almost full', alias: 'try-it', priority: 'P3', source: 'web-01' },
      [`Authorization: GenieKey ${token}`],
    );
  }
  return curl(ingestUrl, payloads[type] ?? standardPayload);
}

const standardPayload = {
  title: 'Disk is almost full',
  severity: 'medium',
  source: 'web-01',
  fingerprint: 'try-it',
  labels: { host: 'web-01' },
};

/** What these senders post, as short as their mapping allows. */
const payloads: Readonly<Record<string, object>> = {
  alertmanager: {
    version: '4',
    status: 'firing',
    receiver: 'alerts',
    alerts: [
      {
        status: 'firing',
        labels: { alertname: 'DiskAlmostFull', severity: 'warning', instance: 'web-01' },
        annotations: { summary: 'Disk is almost full' },
        fingerprint: '5f0c1a2b3c4d5e6f',
      },
    ],
  },
};

const curl = (url: string, body: object, headers: readonly string[] = []): string =>
  [
    `curl -sS '${url}' \\`,
    ...[...headers, 'Content-Type: application/json'].map((header) => `  -H '${header}' \\`),
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');

type Configuration = (address: Address) => [title: string, text: string];

/** Objects with the standard payload, for senders that run a command. */
const command = (macros: Record<string, string>): string =>
  `{${Object.entries(macros)
    .map(([field, macro]) => `\\"${field}\\":\\"${macro}\\"`)
    .join(',')}}`;

const configurations: Readonly<Record<string, Configuration>> = {
  alertmanager: ({ ingestUrl }) => [
    'alertmanager.yml',
    `route:
  receiver: alerts
receivers:
  - name: alerts
    webhook_configs:
      - url: ${ingestUrl}
        send_resolved: true`,
  ],
  grafana: ({ ingestUrl }) => [
    'provisioning/alerting/contact-points.yaml',
    `apiVersion: 1
contactPoints:
  - orgId: 1
    name: Alerts
    receivers:
      - uid: alerts
        type: webhook
        settings:
          url: ${ingestUrl}
          httpMethod: POST`,
  ],
  netdata_agent: ({ ingestUrl }) => [
    'health_alarm_notify.conf',
    `SEND_CUSTOM="YES"
DEFAULT_RECIPIENT_CUSTOM="${ingestUrl}"
custom_sender() {
  for field in host name chart family status old_status value_string info classification when goto_url; do
    set -- "$@" --data-urlencode "\${field}=\${!field}"
  done
  local url="$1"
  shift
  docurl -X POST "$@" "\${url}"
  sent=$((sent + 1))
}`,
  ],
  cloudwatch: ({ ingestUrl }) => [
    'AWS CLI',
    `aws sns subscribe --topic-arn <ARN of the topic> \\
  --protocol https --notification-endpoint '${ingestUrl}'`,
  ],
  azure_monitor: ({ ingestUrl }) => [
    'Azure CLI',
    `az monitor action-group create --name alerts --resource-group <resource group> \\
  --action webhook alerts '${ingestUrl}' usecommonalertschema`,
  ],
  zabbix: ({ ingestUrl }) => [
    'Script of the media type',
    `var request = new HttpRequest();
request.addHeader('Content-Type: application/json');
return request.post('${ingestUrl}', value);`,
  ],
  icinga: ({ ingestUrl }) => [
    'notification-command.conf',
    `object NotificationCommand "alerts-service" {
  command = [ "/usr/bin/curl", "-sS", "-H", "Content-Type: application/json", "-d", "$payload$", "${ingestUrl}" ]
  vars.payload = "${command({
    title: '$host.name$: $service.name$',
    description: '$service.output$',
    severity: '$service.state$',
    status: '$notification.type$',
    source: '$host.name$',
    fingerprint: '$host.name$/$service.name$',
  })}"
}`,
  ],
  nagios: ({ ingestUrl }) => [
    'commands.cfg',
    `define command {
  command_name  notify-service-by-alerts
  command_line  /usr/bin/curl -sS -H "Content-Type: application/json" -d "${command({
    title: '$HOSTNAME$: $SERVICEDESC$',
    description: '$SERVICEOUTPUT$',
    severity: '$SERVICESTATE$',
    status: '$NOTIFICATIONTYPE$',
    source: '$HOSTNAME$',
    fingerprint: '$HOSTNAME$/$SERVICEDESC$',
  })}" '${ingestUrl}'
}`,
  ],
  checkmk: ({ ingestUrl }) => [
    'local/share/check_mk/notifications/alerts',
    `#!/usr/bin/env python3
# Alerts
import json, os, urllib.request
body = {name: value for name, value in os.environ.items() if name.startswith("NOTIFY_")}
urllib.request.urlopen(urllib.request.Request(
    "${ingestUrl}", json.dumps(body).encode(), {"Content-Type": "application/json"}))`,
  ],
  prtg: ({ ingestUrl }) => [
    'Execute HTTP Action',
    `URL:       ${ingestUrl}
POST data: sensorid=%sensorid&device=%device&sensor=%name&status=%status&message=%message&priority=%priority&link=%linksensor`,
  ],
  pagerduty_events_v2: ({ ingestUrl, token }) => [
    'For example Alertmanager',
    `receivers:
  - name: alerts
    pagerduty_configs:
      - url: ${new URL(ingestUrl).origin}/v2/enqueue
        routing_key: ${token}`,
  ],
  opsgenie: ({ ingestUrl, token }) => [
    'For example Alertmanager',
    `receivers:
  - name: alerts
    opsgenie_configs:
      - api_url: ${new URL(ingestUrl).origin}/
        api_key: ${token}`,
  ],
};
