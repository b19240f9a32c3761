/** Teams: members who are responsible together, with their escalation policy. */
import {
  Fault,
  newUuid,
  type Input,
  type ListTeamsQuery,
  type NoQuery,
  type Page,
  type PostTeam,
  type PutTeam,
  type Team,
} from '@ams/contracts';
import { Database, page, withIdempotency, type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { changeRecord, deleteRecord, findRecord, insertRecord, lockRecord } from '../records/entity-records.js';
import { requireRoom } from '../records/record-room.js';
import { auditedChanges, recordAudit } from '../records/record-audit.js';
import { refuseInUse } from '../records/references.js';
import { count, sortBy } from '../records/tenant-queries.js';
import { throwFaults } from '../records/throw-faults.js';
import { referenceIn, unknownReferences, type NamedReference } from '../records/unknown-references.js';
import {
  listedColumns,
  membersFromRows,
  membersOf,
  recordsUsing,
  replaceTeamMembers,
  slugIsTaken,
  teamsMatching,
  type ListedTeam,
} from './team-queries.js';
import { changedTeam, teamDefaults, teamRecord, teams, teamSlugOf, type TeamSettings } from './team-record.js';
import type { TeamEntity } from './team.entity.js';

const sorts = {
  name: { column: 'name', type: 'text' },
  slug: { column: 'slug', type: 'text' },
  createdAt: { column: 'created_at', type: 'time' },
} as const;

@Injectable()
export class TeamsService {
  constructor(private readonly database: Database) {}

  list(input: Input<ListTeamsQuery, undefined>): Promise<Page<Team>> {
    const { limit, cursor, ...filters } = input.query;
    const where = teamsMatching(input.principal, filters);
    return this.database.readAs(input.principal, (tx) =>
      page<ListedTeam, Team>(tx, {
        select: listedColumns(tx),
        from: 'resources.teams',
        where,
        sort: sortBy(filters.sort ?? 'name', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['teams', filters],
        total: () => count(tx, 'resources.teams', where),
        item: (team) => teamRecord(team, membersFromRows(team.members)),
      }),
    );
  }

  get(input: Input<NoQuery, undefined>): Promise<Team> {
    return this.database.readAs(input.principal, async (tx) => {
      const team = await findRecord(tx, teams, input);
      return teamRecord(team, await membersOf(tx, team));
    });
  }

  create(input: Input<NoQuery, PostTeam>): Promise<Team> {
    const { principal, body } = input;
    const { organizationId, environment } = principal;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        await requireRoom(tx, principal, 'teams');
        throwFaults(await unknownReferences(tx, principal, referencesIn(body)));
        const settings = changedTeam(teamDefaults, { ...body, slug: body.slug ?? teamSlugOf(body.name) });
        const at = new Date();
        const { members, ...columns } = settings;
        const stored = { createdAt: at, updatedAt: at, version: 1 };
        const team: TeamEntity = { id: newUuid(at.getTime()), organizationId, environment, ...columns, ...stored };
        await requireFreeSlug(tx, team);
        await insertRecord(tx, teams, team);
        await replaceTeamMembers(tx, team, members);
        const after = teamRecord(team, members);
        await recordAudit(tx, input, 'team.created', { resource: 'team', id: after.id, before: null, after, at });
        return after;
      }),
    );
  }

  update(input: Input<NoQuery, PutTeam>): Promise<Team> {
    const { principal, body } = input;
    return this.database.writeAs(principal, async (tx) => {
      const team = await lockRecord(tx, teams, input, { toChange: true });
      const members = await membersOf(tx, team);
      const before = teamRecord(team, members);
      throwFaults(await unknownReferences(tx, principal, referencesIn(body), referencesIn({ members })));
      const { members: changedMembers, ...columns }: TeamSettings = changedTeam({ ...team, members }, body);
      if (auditedChanges(before, teamRecord({ ...team, ...columns }, changedMembers)).length === 0) return before;
      await requireFreeSlug(tx, { ...team, ...columns });
      const at = new Date();
      const changed = await changeRecord(tx, teams, team, columns, at);
      if (changedMembers !== members) await replaceTeamMembers(tx, changed, changedMembers);
      const after = teamRecord(changed, changedMembers);
      await recordAudit(tx, input, 'team.updated', { resource: 'team', id: after.id, before, after, at });
      return after;
    });
  }

  /** A transaction that names the team locks it first, too: it is either refused, or seen here. */
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.database.writeAs(input.principal, async (tx) => {
      const team = await lockRecord(tx, teams, input);
      refuseInUse(await recordsUsing(tx, team));
      const before = teamRecord(team, await membersOf(tx, team));
      await deleteRecord(tx, teams, team);
      const change = { resource: 'team', id: before.id, before, after: null, at: new Date() };
      await recordAudit(tx, input, 'team.deleted', change);
    });
  }
}

const referencesIn = ({ members = [], policyId }: PutTeam): NamedReference[] => [
  ...referenceIn('escalationPolicy', 'policyId', policyId),
  ...members.flatMap(({ userId }, index) => referenceIn('member', `members[${index}].userId`, userId)),
];

/** Of two transactions at the same time, one waits for the other at the lock. Throws CONFLICT. */
async function requireFreeSlug(tx: Tx, team: TeamEntity): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `team ${team.organizationId} ${team.environment} ${team.slug}`,
  ]);
  if (await slugIsTaken(tx, team)) throw new Fault('CONFLICT', null, `Another team has the slug ${team.slug}.`);
}
