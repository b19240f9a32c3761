/** Saved views of lists: who sees and changes one, and what it may contain. */

/** The lists that have views, with the scopes that read and change their records. */
export const viewPages = {
  alerts: { read: 'alerts:read', write: 'alerts:write' },
  incidents: { read: 'incidents:read', write: 'incidents:write' },
  integrations: { read: 'integrations:read', write: 'integrations:write' },
  clients: { read: 'clients:read', write: 'clients:write' },
  workflows: { read: 'workflows:read', write: 'workflows:write' },
  schedules: { read: 'schedules:read', write: 'schedules:write' },
  escalation_policies: { read: 'escalation_policies:read', write: 'escalation_policies:write' },
  teams: { read: 'teams:read', write: 'teams:write' },
  suppression: { read: 'suppression:read', write: 'suppression:write' },
  pages: { read: 'incidents:read', write: 'incidents:write' },
  notifications: { read: 'alerts:read', write: 'alerts:write' },
  users: { read: 'users:read', write: 'users:write' },
  api_keys: { read: 'api_keys:read', write: 'api_keys:write' },
  audit_log: { read: 'audit:read', write: 'organization:write' },
} as const;

export type ViewPage = keyof typeof viewPages;
export const viewPageNames = Object.keys(viewPages) as ViewPage[];

/** `own`: its owner alone. `team`: the members of a team. `organization`: everybody. */
export const viewVisibilities = ['own', 'team', 'organization'] as const;
export type ViewVisibility = (typeof viewVisibilities)[number];

export const savedViewLimits = {
  /** Views of a member; and views of the organization that keys have made. */
  ofOwner: 100,
  /** The query as JSON. */
  queryBytes: 4096,
  parameters: 50,
  position: 9999,
} as const;

export interface SavedViewScope {
  page: ViewPage;
  visibility: ViewVisibility;
  /** UUIDs. */
  teamId: string | null;
  /** Null: a key made it, or a member who was deleted. */
  ownerId: string | null;
}

export interface ViewCaller {
  /** Null for a key. */
  memberId: string | null;
  scopes: readonly string[];
  /** The teams of the member. */
  teamIds: readonly string[];
  /** Those of them that the member manages. */
  managedTeamIds: readonly string[];
}

export function isViewVisible({ page, visibility, teamId, ownerId }: SavedViewScope, caller: ViewCaller): boolean {
  if (!caller.scopes.includes(viewPages[page].read)) return false;
  if (visibility === 'own') return caller.memberId !== null && ownerId === caller.memberId;
  return visibility === 'organization' || (teamId !== null && caller.teamIds.includes(teamId));
}

/** Whether the caller may change or delete a view that is visible to it. */
export function mayChangeView(view: SavedViewScope, caller: ViewCaller): boolean {
  const isOwner = view.ownerId === caller.memberId;
  switch (view.visibility) {
    case 'own':
      return isOwner;
    case 'team':
      return isOwner || (view.teamId !== null && caller.managedTeamIds.includes(view.teamId));
    case 'organization':
      return caller.scopes.includes('organization:write') || (isOwner && mayShareWithAll(view.page, caller));
  }
}

/** Views for everybody need the scope that changes the records: a viewer makes views of its own, or of its teams. */
const mayShareWithAll = (page: ViewPage, { scopes }: ViewCaller): boolean =>
  scopes.includes(viewPages[page].write) || scopes.includes('organization:write');

export interface ViewFault {
  path: string;
  rule: string;
  /** Completes a sentence that begins with the path. */
  message: string;
}

export type ViewChange =
  { kind: 'allowed' } | { kind: 'fault'; fault: ViewFault } | { kind: 'scope'; required: string };

const fault = (path: string, rule: string, message: string): ViewChange => ({
  kind: 'fault',
  fault: { path, rule, message },
});

/** Whether the caller may make a view of this kind, or change one into it. */
export function changeOfView({ page, visibility, teamId, ownerId }: SavedViewScope, caller: ViewCaller): ViewChange {
  const { read, write } = viewPages[page];
  if (!caller.scopes.includes(read)) return { kind: 'scope', required: read };
  if ((visibility === 'team') !== (teamId !== null))
    return visibility === 'team'
      ? fault('teamId', 'required', 'is needed for a view of a team')
      : fault('teamId', 'visibility', 'is allowed only with the visibility team');
  if (ownerId === null && (visibility === 'own' || (visibility === 'team' && caller.memberId === null)))
    return fault('visibility', 'owner', 'must be organization: a key, or a view that a key made, belongs to no member');
  if (visibility === 'team' && teamId !== null && !caller.teamIds.includes(teamId))
    return fault('teamId', 'member', 'must be a team that you are a member of');
  if (visibility === 'organization' && !mayShareWithAll(page, caller)) return { kind: 'scope', required: write };
  return { kind: 'allowed' };
}

const parameterName = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** The faults of a query: the parameters of a list, each with a text, or with a list of texts when it is repeated. */
export function savedViewFaults(query: unknown): ViewFault[] {
  const of = (path: string, rule: string, message: string): ViewFault[] => [{ path, rule, message }];
  if (typeof query !== 'object' || query === null || Array.isArray(query))
    return of('query', 'object', 'must be an object with the parameters of the list');
  const parameters = Object.entries(query);
  const { queryBytes, parameters: most } = savedViewLimits;
  if (parameters.length > most) return of('query', 'maxItems', `must not have more than ${most} parameters`);
  const faults = parameters.flatMap(([name, value]) => {
    const path = `query.${name.slice(0, 64)}`;
    if (!parameterName.test(name))
      return of(path, 'name', 'must be named like a parameter: letters, digits, _, . and -');
    const isText =
      typeof value === 'string' || (Array.isArray(value) && value.every((text) => typeof text === 'string'));
    return isText ? [] : of(path, 'text', 'must be a text or a list of texts');
  });
  if (faults.length > 0) return faults;
  return new TextEncoder().encode(JSON.stringify(query)).length > queryBytes
    ? of('query', 'maxLength', `must not have more than ${queryBytes} bytes as JSON`)
    : [];
}
