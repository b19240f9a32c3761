/**
 * Workflows: steps that run in order when an alert or an incident changes. Steps open incidents, notify people and
 * escalate: a page, then another one with a delay and `unless`.
 *
 * A definition is validated as a whole before it is saved (workflow-check.ts) and stored with every field filled, so
 * readers need no defaults. The schemas describe the request form; the types are those of the stored form.
 */
import { Type, type Static, type TObject, type TProperties } from '@sinclair/typebox';
import { eventLimits } from '../alerts/event-limits.js';
import { severities } from '../alerts/severity.js';
import { severitySchema } from '../alerts/severity-schema.js';
import { validateCondition } from '../conditions/condition-check.js';
import { conditionSchema, type Condition } from '../conditions/condition-schema.js';
import { parseTarget } from '../mapping/target.js';
import { parseTemplate } from '../mapping/template.js';
import { isAbsent, isObject, ownValue, type Check } from '../validation/check.js';
import { emailAddress, textOfBytes, webUrl } from '../validation/leaves.js';
import { checkOf, entryPath, uniqueBy } from '../validation/schema-check.js';
import {
  checkedBy,
  closedObject,
  stringEnum,
  optionalOr,
  orNull,
  textOfForm,
  visibleText,
  withNames,
  withRule,
} from '../validation/schema.js';
import { urlChannels } from './channels.js';
import { sealedMark } from './sealed-form.js';
import { checkFieldsOfEvents } from './trigger-fields.js';

export const workflowEvents = [
  'alert.created',
  'alert.acknowledged',
  'alert.resolved',
  'alert.suppressed',
  'alert.resumed',
  'alert.severityChanged',
  'incident.created',
  'incident.acknowledged',
  'incident.resolved',
  'incident.reopened',
  'schedule.handoff',
  'suppression.expiring',
] as const;

export type WorkflowEvent = (typeof workflowEvents)[number];

export const unlessStates = ['acknowledged', 'resolved'] as const;

export type UnlessState = (typeof unlessStates)[number];

export const workflowLimits = {
  steps: 50,
  /** Characters of a step's id. */
  stepId: 64,
  /** Thirty days. */
  delaySeconds: 2_592_000,
  targets: 20,
  /** Characters of an id; the caller checks the rest. */
  id: 255,
  /** Characters. */
  secret: 500,
  /** Characters. */
  subject: 200,
  /** Characters. */
  message: 4_000,
  headers: 20,
  /** Characters of a header's name. */
  headerName: 128,
  /** Characters of a header's value. */
  headerValue: 1_024,
  timeoutSeconds: 30,
  groupBy: 10,
  /** Seven days. */
  windowSeconds: 604_800,
  /** Characters. */
  title: 1_024,
  labels: 64,
  /** Characters of a label's key. */
  labelKey: 255,
} as const;

export const reference = (what: string) => visibleText(workflowLimits.id, { description: `The id of a ${what}.` });

// --- Targets --------------------------------------------------------------------------------------------------------

export const userTarget = closedObject({ type: Type.Literal('user'), id: reference('member') }, { $id: 'UserTarget' });

export const scheduleTarget = closedObject(
  {
    type: Type.Literal('schedule'),
    id: reference('schedule'),
    who: Type.Optional(stringEnum(['current', 'next'], { description: 'Default: `current`.' })),
  },
  { $id: 'ScheduleTarget', description: 'The member who is on call when the step runs, or the next one.' },
);

/** Addresses are not templates: `{{labels.owner}}` would be used literally. */
const withoutTemplate = (schema: TProperties[string], instead: string): typeof schema => {
  const check = checkOf(schema);
  return checkedBy(schema, (value, path, report) => {
    if (typeof value === 'string' && value.includes('{{'))
      report(path, 'template', `must not contain {{…}}: addresses are not templates${instead}`);
    else check(value, path, report);
  });
};

/** A caller cannot send what looks like a secret that this service has sealed. */
const notSealed = (schema: TProperties[string]): typeof schema => {
  const check = checkOf(schema);
  return checkedBy(schema, (value, path, report) => {
    if (typeof value === 'string' && value.includes(sealedMark))
      report(path, 'format', `must not contain ${sealedMark}`);
    else check(value, path, report);
  });
};

const targetUrl = notSealed(withoutTemplate(webUrl, '')) as typeof webUrl;

const addressFrom = checkedBy(
  Type.String({
    description:
      'A label or an annotation of the alert that has the address, such as `labels.owner`, in place of `address`. A ' +
      'notification without a valid address is `skipped`.',
  }),
  (value, path, report) => {
    if (typeof value !== 'string') report(path, 'type', 'must be text');
    else if (parseTarget(value).kind !== 'entry') report(path, 'enum', 'must be labels.<key> or annotations.<key>');
  },
);

const oneAddress: Check = (value, path, report) => {
  if (!isObject(value)) return;
  const given = ['address', 'addressFrom'].filter((key) => !isAbsent(ownValue(value, key)));
  if (given.length === 0) report(`${path}.address`, 'required', 'is missing: send address or addressFrom');
  if (given.length === 2) report(`${path}.addressFrom`, 'exclusive', 'must not be sent with address');
};

export const emailTarget = withRule(
  closedObject(
    {
      type: Type.Literal('email'),
      address: Type.Optional(
        withoutTemplate(emailAddress, ', use addressFrom to take the address from the alert') as typeof emailAddress,
      ),
      addressFrom: Type.Optional(addressFrom),
    },
    { $id: 'EmailTarget', description: 'An address (`address`), or the one that the alert names (`addressFrom`).' },
  ),
  oneAddress,
);

/** An address that is known when it is saved: escalation policies have no alert that could name it. */
export const fixedEmailTarget = closedObject(
  { type: Type.Literal('email'), address: withoutTemplate(emailAddress, '') as typeof emailAddress },
  { $id: 'FixedEmailTarget' },
);

export type EmailTarget = { type: 'email'; address: string } | { type: 'email'; addressFrom: string };

/** The bytes of a key after `whsec_` (Standard Webhooks). */
const keyBytes = { min: 24, max: 64 } as const;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const hasKey = (secret: string): boolean => {
  const text = secret.slice('whsec_'.length);
  const bytes = (text.length / 4) * 3 - (text.length - text.replace(/=+$/, '').length);
  return base64.test(text) && bytes >= keyBytes.min && bytes <= keyBytes.max;
};

const plainSecret = notSealed(
  visibleText(workflowLimits.secret, {
    description:
      'The secret that signs the messages (Standard Webhooks): `whsec_` with base64 of 24 to 64 bytes, or any other ' +
      'text. Two secrets with a space between them both sign.',
  }),
) as ReturnType<typeof visibleText>;
const checkPlainSecret = checkOf(plainSecret);

const webhookSecret = checkedBy(plainSecret, (value, path, report) => {
  checkPlainSecret(value, path, report);
  if (typeof value !== 'string' || value.length > workflowLimits.secret) return;
  const unusable = value.split(/\s+/).some((secret) => secret.startsWith('whsec_') && !hasKey(secret));
  if (unusable)
    report(
      path,
      'secret',
      `must have base64 of ${keyBytes.min} to ${keyBytes.max} bytes after whsec_ (with its padding)`,
    );
});

const secretOfWebhook: Check = (value, path, report) => {
  if (isObject(value) && value.kind !== 'webhook' && !isAbsent(ownValue(value, 'secret')))
    report(`${path}.secret`, 'exclusive', 'is allowed only for the kind webhook');
};

export const channelTarget = withRule(
  closedObject(
    {
      type: Type.Literal('channel'),
      kind: stringEnum(urlChannels),
      url: targetUrl,
      secret: optionalOr(null, orNull(webhookSecret)),
    },
    { $id: 'ChannelTarget', description: 'An incoming webhook of a chat, or a signed webhook.' },
  ),
  secretOfWebhook,
);

export type NotifyTarget =
  Static<typeof userTarget> | Static<typeof scheduleTarget> | EmailTarget | Required<Static<typeof channelTarget>>;

const isLabel = (field: string): boolean => field.startsWith('labels.') && parseTarget(field).kind === 'entry';

// --- Policies -------------------------------------------------------------------------------------------------------

const labelField = checkedBy(
  Type.String({ description: 'The label with the slug of the team: `labels.team`.' }),
  (value, path, report) => {
    if (typeof value !== 'string' || !isLabel(value)) report(path, 'format', 'must be labels.<key>');
  },
);

const checkPolicyOrTeam = checkOf(
  closedObject({ id: Type.Optional(reference('escalation policy')), teamFrom: Type.Optional(labelField) }),
);

/** Null: the catch-all policy of the organization. */
const pagePolicy = checkedBy(
  Type.Union([closedObject({ id: reference('escalation policy') }), closedObject({ teamFrom: labelField })], {
    $id: 'PagePolicy',
    description:
      'The escalation policy, by its id or by the team that a label of the alert names. The catch-all policy of the ' +
      'organization takes the place of one that is missing.',
  }),
  (value, path, report) => {
    checkPolicyOrTeam(value, path, report);
    if (!isObject(value)) return;
    const named = ['id', 'teamFrom'].filter((key) => !isAbsent(ownValue(value, key)));
    if (named.length === 0) report(path, 'required', 'must have id or teamFrom');
    if (named.length === 2) report(path, 'exclusive', 'must have only one of id and teamFrom');
  },
);

// --- Parameters of the step types -----------------------------------------------------------------------------------

/** A header name as in RFC 9110, 5.6.2, and a value without line breaks. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = '^[\\t\\x20-\\x7e]*$';

/** Headers that the request or its signature sets, and connection headers (RFC 9110, 7.6.1). */
const reservedHeader =
  /^(?:host|content-length|webhook-.*|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*)$/;

const checkHeaderName: Check = (value, path, report) => {
  const name = value as string;
  if (!headerName.test(name)) report(path, 'format', 'is not a valid header name');
  if (name.length > workflowLimits.headerName)
    report(path, 'maxLength', `must have a name of at most ${workflowLimits.headerName} characters`);
  if (reservedHeader.test(name.toLowerCase())) report(path, 'reserved', 'is a header that the request sets itself');
};

const distinctHeaders: Check = (value, path, report) => {
  const seen = new Set<string>();
  for (const name of Object.keys(value as object)) {
    const folded = name.toLowerCase();
    if (seen.has(folded))
      report(entryPath(path, name), 'unique', 'is a duplicate: header names are compared regardless of case');
    seen.add(folded);
  }
};

const headers = withRule(
  withNames(
    Type.Record(
      Type.String(),
      notSealed(
        textOfForm(headerValue, 'must be printable ASCII characters', { maxLength: workflowLimits.headerValue }),
      ) as ReturnType<typeof textOfForm>,
      { maxProperties: workflowLimits.headers },
    ),
    checkHeaderName,
  ),
  distinctHeaders,
);

const groupFields = ['fingerprint', 'severity', 'source', 'clientId', 'integrationId', 'title'];

const groupField = checkedBy(Type.String(), (value, path, report) => {
  if (typeof value !== 'string' || !(groupFields.includes(value) || isLabel(value)))
    report(path, 'enum', `must be one of ${groupFields.join(', ')}, labels.<key>`);
});

const plainTitle = visibleText(workflowLimits.title, {
  description: 'With paths in double braces: `{{labels.service}} is failing`.',
});
const checkPlainTitle = checkOf(plainTitle);

const titleTemplate = checkedBy(plainTitle, (value, path, report) => {
  checkPlainTitle(value, path, report);
  const template = typeof value === 'string' && value.length <= workflowLimits.title ? parseTemplate(value) : null;
  if (template?.kind === 'fault') report(path, 'syntax', `${template.message} (at character ${template.position + 1})`);
});

const checkLabelKey: Check = (value, path, report) => {
  const key = value as string;
  if (key.length > workflowLimits.labelKey)
    report(path, 'maxLength', `must have a key of at most ${workflowLimits.labelKey} characters`);
  else if (!isLabel(`labels.${key}`)) report(path, 'format', 'is not allowed as the key of a label');
};

const memberId = reference('member');
const scheduleId = reference('schedule');
const checkMemberOrSchedule = checkOf(
  closedObject({ userId: Type.Optional(memberId), scheduleId: Type.Optional(scheduleId) }),
);

const assignee = checkedBy(
  Type.Union([closedObject({ userId: memberId }), closedObject({ scheduleId })]),
  (value, path, report) => {
    checkMemberOrSchedule(value, path, report);
    if (!isObject(value)) return;
    const named = ['userId', 'scheduleId'].filter((key) => !isAbsent(ownValue(value, key)));
    if (named.length === 0) report(path, 'required', 'must have userId or scheduleId');
    if (named.length === 2) report(path, 'exclusive', 'must have only one of userId and scheduleId');
  },
);

const params = {
  notify: closedObject({
    targets: Type.Array(Type.Union([userTarget, scheduleTarget, emailTarget, channelTarget]), {
      minItems: 1,
      maxItems: workflowLimits.targets,
    }),
    subject: optionalOr(null, orNull(visibleText(workflowLimits.subject))),
    message: optionalOr(null, orNull(visibleText(workflowLimits.message))),
  }),
  webhook: closedObject({
    url: targetUrl,
    secret: optionalOr(null, orNull(webhookSecret)),
    headers: optionalOr({}, headers),
    timeoutSeconds: optionalOr(10, Type.Integer({ minimum: 1, maximum: workflowLimits.timeoutSeconds })),
  }),
  openIncident: closedObject({
    groupBy: optionalOr(
      [],
      Type.Array(groupField, {
        maxItems: workflowLimits.groupBy,
        uniqueItems: true,
        description:
          '`fingerprint`, `severity`, `source`, `title`, `clientId`, `integrationId`, `labels.<key>`. If ' +
          'empty, all alerts of the workflow are one group.',
      }),
    ),
    windowSeconds: optionalOr(
      0,
      Type.Integer({
        minimum: 0,
        maximum: workflowLimits.windowSeconds,
        description:
          'How long after its last alert a resolved incident still accepts alerts of its group and is ' +
          'reopened. 0: only while it is open.',
      }),
    ),
    autoResolve: optionalOr(false, Type.Boolean({ description: 'Resolve the incident with its last open alert.' })),
    title: optionalOr(null, orNull(titleTemplate)),
    severity: optionalOr(null, orNull({ ...severitySchema, description: 'Default: the severity of the alert.' })),
  }),
  page: closedObject({
    groupBy: optionalOr(
      null,
      orNull(
        Type.Array(groupField, {
          maxItems: workflowLimits.groupBy,
          uniqueItems: true,
          description:
            'As in `openIncident`. Null: the first of `labels.service`, `labels.alertname` and `fingerprint` that the ' +
            'alert has.',
        }),
      ),
    ),
    windowSeconds: optionalOr(
      null,
      orNull(
        Type.Integer({
          minimum: 0,
          maximum: workflowLimits.windowSeconds,
          description:
            'How long a resolved incident still accepts alerts of its group and is reopened. Null: as the ' +
            'organization has set it.',
        }),
      ),
    ),
    autoResolve: optionalOr(true, Type.Boolean({ description: 'Resolve the incident with its last open alert.' })),
    title: optionalOr(null, orNull(titleTemplate)),
    policy: optionalOr(null, orNull(pagePolicy)),
  }),
  setSeverity: closedObject({ severity: stringEnum(severities) }),
  addLabels: closedObject({
    labels: withNames(
      Type.Record(Type.String(), textOfBytes(eventLimits.labelBytes), {
        minProperties: 1,
        maxProperties: workflowLimits.labels,
      }),
      checkLabelKey,
    ),
  }),
  assign: assignee,
  acknowledge: closedObject({}),
  resolve: closedObject({}),
};

/** The stored form. */
export interface StepParams {
  notify: Required<Omit<Static<typeof params.notify>, 'targets'>> & { targets: NotifyTarget[] };
  webhook: Required<Static<typeof params.webhook>>;
  openIncident: Required<Static<typeof params.openIncident>>;
  page: Required<Static<typeof params.page>>;
  setSeverity: Static<typeof params.setSeverity>;
  addLabels: Static<typeof params.addLabels>;
  assign: Static<typeof params.assign>;
  acknowledge: Record<string, never>;
  resolve: Record<string, never>;
}

export type StepType = keyof StepParams;

export const stepTypes = Object.keys(params) as readonly StepType[];

// --- Steps ----------------------------------------------------------------------------------------------------------

const timing = {
  delaySeconds: optionalOr(
    0,
    Type.Integer({
      minimum: 0,
      maximum: workflowLimits.delaySeconds,
      description: 'Delay before the step. It continues after a restart of the service.',
    }),
  ),
  unless: optionalOr(
    [],
    Type.Array(stringEnum(unlessStates), {
      uniqueItems: true,
      maxItems: unlessStates.length,
      description: 'Skips the step when the alert or the incident then has one of these statuses.',
    }),
  ),
  continueOnError: optionalOr(false, Type.Boolean({ description: 'Continue with the next step when this one fails.' })),
};

const stepId = textOfForm('^[A-Za-z0-9_-]+$', 'must consist of letters, digits, - and _', {
  maxLength: workflowLimits.stepId,
  description: 'Unique in the workflow.',
});

const step = (type: StepType, stepParams: TProperties[string], description: string): TObject =>
  closedObject(
    { id: stepId, type: Type.Literal(type), params: stepParams, ...timing },
    { $id: `${type[0]?.toUpperCase()}${type.slice(1)}Step`, description },
  );

export const stepSchema = Type.Union(
  [
    step('notify', params.notify, 'Notifies people and channels.'),
    step('webhook', params.webhook, 'Posts the event to a URL, signed (Standard Webhooks) if there is a secret.'),
    step(
      'openIncident',
      optionalOr({}, params.openIncident),
      'Opens an incident, or adds the alert to the open one of its group.',
    ),
    step(
      'page',
      optionalOr({}, params.page),
      'Opens an incident, or adds the alert to the open one of its group, and lets the escalation policy run.',
    ),
    step('setSeverity', params.setSeverity, 'Sets the severity of the alert.'),
    step('addLabels', params.addLabels, 'Adds labels to the alert.'),
    step('assign', params.assign, 'Assigns a member, or the member who is on call.'),
    step('acknowledge', optionalOr({}, params.acknowledge), 'Acknowledges the alert.'),
    step('resolve', optionalOr({}, params.resolve), 'Resolves the alert.'),
  ],
  {
    $id: 'WorkflowStep',
    description: 'Steps run in order. To page people, use a `page` step with an escalation policy.',
  },
);

type Timing = { [Field in keyof typeof timing]: Static<(typeof timing)[Field]> };

interface StepOf<Type extends StepType> extends Timing {
  /** The id of the step in the runs of a workflow. */
  id: string;
  type: Type;
  params: StepParams[Type];
}

export type WorkflowStep = { [Type in StepType]: StepOf<Type> }[StepType];

// --- Definitions ----------------------------------------------------------------------------------------------------

const checkConditions: Check = (value, path, report) => {
  for (const fault of validateCondition(value, path)) report(fault.path, fault.rule, fault.message);
};

/** An incident has any number of alerts, so it would be unclear which one is meant. */
const stepsOfAlerts: readonly unknown[] = ['setSeverity', 'addLabels', 'openIncident', 'page'] satisfies StepType[];

const isAboutIncidents = (event: unknown): boolean => typeof event === 'string' && event.startsWith('incident.');

/** Events of schedules and suppression windows, which have neither an alert nor an incident. */
const isAboutRecords = (event: unknown): boolean =>
  typeof event === 'string' && /^(?:schedule|suppression)\./.test(event);

/** The other types change an alert or an incident. */
const tellingSteps: readonly unknown[] = ['notify', 'webhook'] satisfies StepType[];

const checkStepsFitTrigger: Check = (value, _path, report) => {
  if (!isObject(value) || !isObject(value.trigger)) return;
  const { events } = value.trigger;
  if (!Array.isArray(events) || events.length === 0 || !Array.isArray(value.steps)) return;
  const steps = value.steps.slice(0, workflowLimits.steps);
  const without = events.filter(isAboutRecords);
  steps.forEach((one, index) => {
    if (
      without.length > 0 &&
      isObject(one) &&
      stepTypes.some((type) => type === one.type) &&
      !tellingSteps.includes(one.type)
    )
      report(
        `steps[${index}].type`,
        'trigger',
        `needs an alert or an incident, which ${without.join(', ')} does not have`,
      );
  });
  if (!events.every(isAboutIncidents)) return;
  steps.forEach((one, index) => {
    if (isObject(one) && stepsOfAlerts.includes(one.type))
      report(`steps[${index}].type`, 'trigger', 'needs an alert, and only incidents trigger this workflow');
  });
};

/** The events of incidents have no alert that could name an address. */
const checkAddressesFitTrigger: Check = (value, _path, report) => {
  if (!isObject(value) || !isObject(value.trigger) || !Array.isArray(value.trigger.events)) return;
  const without = value.trigger.events.filter((event) => isAboutIncidents(event) || isAboutRecords(event));
  if (without.length === 0 || !Array.isArray(value.steps)) return;
  value.steps.slice(0, workflowLimits.steps).forEach((one, index) => {
    const targets = isObject(one) && isObject(one.params) ? one.params.targets : undefined;
    if (!Array.isArray(targets)) return;
    targets.slice(0, workflowLimits.targets).forEach((target, nth) => {
      if (isObject(target) && !isAbsent(ownValue(target, 'addressFrom')))
        report(
          `steps[${index}].params.targets[${nth}].addressFrom`,
          'trigger',
          `needs an alert, which ${without.join(', ')} does not have`,
        );
    });
  });
};

const isWorkflowEvent = (event: unknown): event is WorkflowEvent => workflowEvents.some((name) => name === event);

const checkConditionsFitTrigger: Check = (value, _path, report) => {
  if (!isObject(value) || !isObject(value.trigger) || !Array.isArray(value.trigger.events)) return;
  checkFieldsOfEvents(value.conditions, value.trigger.events.filter(isWorkflowEvent), 'conditions', report);
};

export const definitionSchema = withRule(
  closedObject({
    trigger: closedObject({
      events: Type.Array(stringEnum(workflowEvents), {
        minItems: 1,
        maxItems: workflowEvents.length,
        uniqueItems: true,
      }),
    }),
    conditions: optionalOr(null, orNull(checkedBy(conditionSchema, checkConditions))),
    steps: withRule(
      Type.Array(stepSchema, { minItems: 1, maxItems: workflowLimits.steps }),
      uniqueBy((one) => (isObject(one) ? ownValue(one, 'id') : undefined), '.id'),
    ),
  }),
  (value, path, report) => {
    checkStepsFitTrigger(value, path, report);
    checkAddressesFitTrigger(value, path, report);
    checkConditionsFitTrigger(value, path, report);
  },
);

/** The stored form. */
export interface WorkflowDefinition {
  trigger: { events: WorkflowEvent[] };
  /** Null: always. */
  conditions: Condition | null;
  steps: WorkflowStep[];
}
