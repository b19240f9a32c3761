/**
 * The settings of an organization, for each environment: who is told when nobody else is found, which severities are
 * urgent, when an alert flaps, and how long a resolved incident accepts alerts.
 */
import { Type, type Static } from '@sinclair/typebox';
import { severities, type Severity } from '../alerts/severity.js';
import { severitySchema } from '../alerts/severity-schema.js';
import { faultsOf, isObject, type Check, type SettingsFault } from '../validation/check.js';
import { checkOf } from '../validation/schema-check.js';
import { closedObject, orNull, withRule } from '../validation/schema.js';
import { reference, workflowLimits } from '../workflows/workflow-schema.js';

/** Urgency is an order of severities: a rise of the severity never lowers the urgency. */
const withEveryHigherSeverity: Check = (value, path, report) => {
  const named = value as unknown[];
  const lowest = severities.findLastIndex((severity) => named.includes(severity));
  const missing = severities.slice(0, lowest + 1).filter((severity) => !named.includes(severity));
  if (missing.length > 0)
    report(path, 'order', `must also have ${missing.join(', ')}, because ${severities[lowest]} is less severe`);
};

const day = 86_400;

const flapFields = {
  transitions: Type.Integer({
    minimum: 2,
    maximum: 100,
    description: 'How often an alert must fire and resolve to flap.',
  }),
  windowSeconds: Type.Integer({ minimum: 60, maximum: day, description: 'The time in which it does so.' }),
  quietSeconds: Type.Integer({
    minimum: 60,
    maximum: day,
    description: 'How long it must then be quiet before its incident is resolved.',
  }),
};

const flapSchema = closedObject(flapFields, { $id: 'FlapSettings' });

const organizationSettingsFields = {
  catchAllPolicyId: orNull(reference('escalation policy')),
  highUrgencySeverities: withRule(
    Type.Array(severitySchema, { uniqueItems: true, maxItems: severities.length }),
    withEveryHigherSeverity,
  ),
  flap: flapSchema,
  defaultWindowSeconds: Type.Integer({
    minimum: 0,
    maximum: workflowLimits.windowSeconds,
    description: 'How long after its end a resolved incident is reopened by a new firing; 0: never.',
  }),
};

export const organizationSettingsSchema = closedObject(organizationSettingsFields);

export type FlapSettings = Static<typeof flapSchema>;

export interface OrganizationSettings {
  /** Null: alerts for which nobody is found are told to the owners of the organization. */
  catchAllPolicyId: string | null;
  highUrgencySeverities: Severity[];
  flap: FlapSettings;
  defaultWindowSeconds: number;
}

/** What a person sends: the fields that are left out stay, also those of `flap`. */
export type OrganizationSettingsChange = Partial<Omit<OrganizationSettings, 'flap'>> & { flap?: Partial<FlapSettings> };

export const defaultOrganizationSettings: OrganizationSettings = {
  catchAllPolicyId: null,
  highUrgencySeverities: ['critical', 'high'],
  flap: { transitions: 4, windowSeconds: 900, quietSeconds: 600 },
  defaultWindowSeconds: 900,
};

const checkSettings = checkOf(organizationSettingsSchema);

/** Every error of all settings; an empty list when they are valid. The caller checks whether the policy exists. */
export const validateOrganizationSettings = (input: unknown): SettingsFault[] => faultsOf(checkSettings, input);

/** The settings with what was sent; not yet validated. Severities are in their order, so that equal sets are equal. */
export const changedOrganizationSettings = (
  settings: OrganizationSettings,
  sent: OrganizationSettingsChange,
): OrganizationSettings => {
  const { highUrgencySeverities: chosen } = sent;
  return {
    ...settings,
    ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
    flap: isObject(sent.flap)
      ? { ...settings.flap, ...sent.flap }
      : sent.flap === undefined
        ? settings.flap
        : sent.flap,
    highUrgencySeverities: inOrder(chosen === undefined ? settings.highUrgencySeverities : chosen),
  };
};

const inOrder = (chosen: Severity[]): Severity[] =>
  Array.isArray(chosen) ? [...chosen].sort((a, b) => severities.indexOf(a) - severities.indexOf(b)) : chosen;

export type Urgency = 'high' | 'low';

export const urgencyOf = (
  severity: Severity,
  { highUrgencySeverities }: Pick<OrganizationSettings, 'highUrgencySeverities'>,
): Urgency => (highUrgencySeverities.includes(severity) ? 'high' : 'low');
