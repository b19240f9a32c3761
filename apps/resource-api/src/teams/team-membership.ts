/**
 * Teams that follow the groups of an OpenID provider: after a sign-in the member is in the teams of the groups, and not
 * in those of other groups. The request may come twice; the second changes nothing. A manager stays one.
 */
import {
  auditSubject,
  newUuid,
  publicId,
  type AuditRecord,
  type TeamMember,
  type TeamMembershipReply,
  type TeamMembershipRequest,
} from '@ams/contracts';
import { addToOutbox, Database, type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { changeRecord } from '../records/entity-records.js';
import { auditedChanges } from '../records/record-audit.js';
import { membersOf, replaceTeamMembers } from './team-queries.js';
import { teamRecord, teams } from './team-record.js';
import { TeamEntity } from './team.entity.js';

@Injectable()
export class TeamMembership {
  constructor(private readonly database: Database) {}

  follow(request: TeamMembershipRequest): Promise<TeamMembershipReply> {
    return this.database.asService(async (tx) => {
      const { organizationId } = request;
      const slugs = request.teams.map(({ slug }) => slug);
      const found = await tx.repository(TeamEntity).find({
        where: { organizationId, slug: In(slugs) },
        order: { id: 'ASC' },
        lock: { mode: 'for_no_key_update' },
      });
      const reply: TeamMembershipReply = {
        changed: [],
        full: [],
        unknown: slugs.filter((slug) => !found.some((team) => team.slug === slug)),
      };
      for (const team of found) {
        const outcome = await follow(tx, request, team);
        if (outcome !== 'same') reply[outcome].push(`${team.environment} ${team.slug}`);
      }
      return reply;
    });
  }
}

/** As many as a caller of the API may send. */
const maxMembers = 100;

async function follow(tx: Tx, request: TeamMembershipRequest, team: TeamEntity): Promise<'same' | 'changed' | 'full'> {
  const userId = publicId('member', request.memberId);
  const members = await membersOf(tx, team);
  const belongs = request.teams.find(({ slug }) => slug === team.slug)?.belongs === true;
  if (members.some((member) => member.userId === userId) === belongs) return 'same';
  if (belongs && members.length >= maxMembers) return 'full';
  const others = members.filter((member) => member.userId !== userId);
  const next: TeamMember[] = belongs ? [...members, { userId, role: 'responder' }] : others;
  const at = new Date();
  const changed = await changeRecord(tx, teams, team, {}, at);
  await replaceTeamMembers(tx, changed, next);
  await addToOutbox(tx, 'resource-api', [audited(request, team, { before: members, after: next, at })]);
  return 'changed';
}

function audited(
  { organizationId, actorName, requestId }: TeamMembershipRequest,
  team: TeamEntity,
  { before, after, at }: { before: TeamMember[]; after: TeamMember[]; at: Date },
) {
  const record: AuditRecord = {
    id: newUuid(at.getTime()),
    organizationId,
    environment: team.environment,
    type: 'team.updated',
    occurredAt: at.toISOString(),
    actor: { type: 'service', id: null, name: actorName },
    ip: null,
    userAgent: null,
    requestId,
    resource: { type: 'team', id: publicId('team', team.id) },
    changes: auditedChanges(teamRecord(team, before), teamRecord(team, after)),
  };
  return { subject: auditSubject, messageId: record.id, payload: record };
}
