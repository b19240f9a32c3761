/** The settings of the OpenID provider, as sign-in uses them. */
import { readMapping, type ClaimMapping } from '@ams/domain';
import { type Role } from '@ams/scopes';
import { type AuthSettings } from '../settings.js';

export interface OpenIdSettings {
  issuer: URL;
  clientId: string;
  clientSecret: string | null;
  /** For people: on the button of the sign-in page. */
  name: string;
  scope: string;
  timeoutSeconds: number;
  /** The slug of the organization that the mapping is about, and in which members are created. */
  organization: string;
  createMembers: boolean;
  mapping: ClaimMapping;
  /** The page that the provider returns to. */
  redirectUri: string;
}

/** Without an issuer nobody signs in with OpenID Connect. */
export function openIdSettings(settings: AuthSettings): OpenIdSettings | null {
  const { openIdIssuer, openIdClientId, openIdOrganization, publicUrl } = settings;
  if (!openIdIssuer || !openIdClientId || !openIdOrganization || !publicUrl) return null;
  return {
    issuer: new URL(openIdIssuer),
    clientId: openIdClientId,
    clientSecret: settings.openIdClientSecret ?? null,
    name: settings.openIdName,
    scope: settings.openIdScopes,
    timeoutSeconds: settings.openIdTimeoutSeconds,
    organization: openIdOrganization,
    createMembers: settings.openIdCreateMembers,
    mapping: mappingOf(settings),
    redirectUri: new URL('/sign-in/openid', publicUrl).href,
  };
}

function mappingOf(settings: AuthSettings): ClaimMapping {
  const teams = new Map<string, string[]>();
  for (const [group, slug] of readMapping(settings.openIdTeams).pairs)
    teams.set(group, [...(teams.get(group) ?? []), slug]);
  return {
    groupsClaim: settings.openIdGroupsClaim ?? null,
    roles: new Map(readMapping(settings.openIdRoles).pairs as [string, Role][]),
    otherRole: settings.openIdOtherRole ?? null,
    teams,
  };
}
