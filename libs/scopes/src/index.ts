/** Every scope of the v1 API with its permission, and the roles as sets of scopes. */
export const scopes = [
  'alerts:read',
  'alerts:write',
  'incidents:read',
  'incidents:write',
  'clients:read',
  'clients:write',
  'workflows:read',
  'workflows:write',
  'schedules:read',
  'schedules:write',
  'integrations:read',
  'integrations:write',
  'suppression:read',
  'suppression:write',
  'users:read',
  'users:write',
  'teams:read',
  'teams:write',
  'escalation_policies:read',
  'escalation_policies:write',
  'organization:write',
  'api_keys:read',
  'api_keys:write',
  'audit:read',
] as const;

export type Scope = (typeof scopes)[number];

export const environments = ['live', 'test'] as const;
export type Environment = (typeof environments)[number];

const reading = scopes.filter((scope) => scope.endsWith(':read'));

/** A member's role is a name for a set of scopes; there is no other permission mechanism. */
export const roles = {
  owner: [...scopes],
  admin: [...scopes],
  responder: [
    ...reading.filter((scope) => scope !== 'api_keys:read' && scope !== 'audit:read'),
    'alerts:write',
    'incidents:write',
  ],
  viewer: reading.filter((scope) => scope !== 'api_keys:read' && scope !== 'audit:read'),
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof roles;

export const isScope = (value: unknown): value is Scope => scopes.includes(value as Scope);

/** Whether `held` contains `required`; `null` requires no scope. */
export const grants = (held: readonly string[], required: Scope | null): boolean =>
  required === null || held.includes(required);
