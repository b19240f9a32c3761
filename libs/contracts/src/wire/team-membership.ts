/** `resources.teams`: after a sign-in with OpenID Connect, auth tells resource-api which teams the member belongs to. */
import { serviceRequest } from './service-request.js';

export interface TeamMembershipRequest {
  organizationId: string;
  /** A UUID. */
  memberId: string;
  /** The teams that follow groups of the provider. Other teams of the member stay. */
  teams: { slug: string; belongs: boolean }[];
  /** For the audit log: who changes the teams. */
  actorName: string;
  requestId: string;
}

export interface TeamMembershipReply {
  /** The teams that have changed: environment and slug. */
  changed: string[];
  /** Teams that have as many members as a team may have. */
  full: string[];
  /** Slugs for which there is no team. */
  unknown: string[];
}

export const teamMembershipRequest = serviceRequest<TeamMembershipRequest, TeamMembershipReply>('cmd.resources.teams');
