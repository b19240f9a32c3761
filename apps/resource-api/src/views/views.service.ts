/** Saved views: the filters of a list under a name, for a member, a team or everybody. */
import {
  Fault,
  newUuid,
  publicId,
  uuidOf,
  type FieldFault,
  type Input,
  type ListViewsQuery,
  type NoQuery,
  type Page,
  type PostView,
  type PutView,
  type View,
} from '@ams/contracts';
import { Database, page, selectOf, withIdempotency, type Tx } from '@ams/database';
import {
  changeOfView,
  isViewVisible,
  mayChangeView,
  savedViewLimits,
  viewPages,
  type SavedViewScope,
  type ViewCaller,
} from '@ams/domain';
import { Injectable } from '@nestjs/common';
import {
  changeRecord,
  deleteRecord,
  findRecord,
  insertRecord,
  lockRecord,
  patched,
  type RecordKind,
} from '../records/entity-records.js';
import { requireRoom } from '../records/record-room.js';
import { auditedChanges, recordAudit } from '../records/record-audit.js';
import { count, sortBy } from '../records/tenant-queries.js';
import { throwFaults } from '../records/throw-faults.js';
import { teamFaults } from '../teams/held-team.js';
import { callerOf, countOfOwner, viewsMatching } from './view-queries.js';
import { ViewEntity } from './view.entity.js';

const views: RecordKind<ViewEntity> = { entity: ViewEntity, noun: 'view', resource: 'view' };

const sorts = {
  position: { column: 'position', type: 'int' },
  name: { column: 'name', type: 'text' },
  createdAt: { column: 'created_at', type: 'time' },
} as const;

type ViewSettings = Pick<ViewEntity, 'name' | 'query' | 'visibility' | 'teamId' | 'position'>;

@Injectable()
export class ViewsService {
  constructor(private readonly database: Database) {}

  list({ principal, query }: Input<ListViewsQuery, undefined>): Promise<Page<View>> {
    const { limit, cursor, ...filters } = query;
    return this.database.readAs(principal, async (tx) => {
      const where = viewsMatching(principal, await callerOf(tx, principal), filters);
      return page<ViewEntity, View>(tx, {
        select: selectOf(tx, ViewEntity, 'views'),
        from: 'resources.views',
        where,
        sort: sortBy(filters.sort ?? 'position', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['views', filters],
        total: () => count(tx, 'resources.views', where),
        item: viewRecord,
      });
    });
  }

  get(input: Input<NoQuery, undefined>): Promise<View> {
    return this.database.readAs(input.principal, async (tx) => {
      const view = await findRecord(tx, views, input);
      requireVisible(view, await callerOf(tx, input.principal), input);
      return viewRecord(view);
    });
  }

  create(input: Input<NoQuery, PostView>): Promise<View> {
    const { principal, body } = input;
    const { organizationId, environment } = principal;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        await requireRoom(tx, principal, 'views');
        const caller = await callerOf(tx, principal);
        const at = new Date();
        const view: ViewEntity = {
          id: newUuid(at.getTime()),
          organizationId,
          environment,
          page: body.page,
          ...changedView(
            {
              name: body.name,
              query: {},
              visibility: caller.memberId === null ? 'organization' : 'own',
              teamId: null,
              position: 0,
            },
            body,
          ),
          ownerId: caller.memberId,
          createdAt: at,
          updatedAt: at,
          version: 1,
        };
        requireAllowed(view, caller, await teamFaults(tx, principal, body.teamId));
        await requireRoomOfOwner(tx, view);
        await insertRecord(tx, views, view);
        const after = viewRecord(view);
        await recordAudit(tx, input, 'view.created', { resource: 'view', id: after.id, before: null, after, at });
        return after;
      }),
    );
  }

  update(input: Input<NoQuery, PutView>): Promise<View> {
    const { principal, body } = input;
    return this.database.writeAs(principal, async (tx) => {
      const caller = await callerOf(tx, principal);
      const view = await this.lockToChange(tx, input, caller);
      const before = viewRecord(view);
      const settings = changedView(view, body);
      if (auditedChanges(before, viewRecord({ ...view, ...settings })).length === 0) return before;
      if (settings.visibility !== view.visibility || settings.teamId !== view.teamId)
        requireAllowed({ ...view, ...settings }, caller, await teamFaults(tx, principal, body.teamId));
      const at = new Date();
      const after = viewRecord(await changeRecord(tx, views, view, settings, at));
      await recordAudit(tx, input, 'view.updated', { resource: 'view', id: after.id, before, after, at });
      return after;
    });
  }

  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.database.writeAs(input.principal, async (tx) => {
      const view = await this.lockToChange(tx, input, await callerOf(tx, input.principal));
      await deleteRecord(tx, views, view);
      const before = viewRecord(view);
      const change = { resource: 'view', id: before.id, before, after: null, at: new Date() };
      await recordAudit(tx, input, 'view.deleted', change);
    });
  }

  /** Throws NOT_FOUND, INSUFFICIENT_SCOPE and VERSION_MISMATCH. */
  private async lockToChange(tx: Tx, input: Input<NoQuery, unknown>, caller: ViewCaller): Promise<ViewEntity> {
    requireVisible(await findRecord(tx, views, input), caller, input);
    const view = await lockRecord(tx, views, input);
    if (!mayChangeView(view, caller))
      throw new Fault(
        'INSUFFICIENT_SCOPE',
        { required: 'organization:write' },
        'This view belongs to somebody else. Its owner may change it, a manager of its team, and for one of the ' +
          'organization a caller with the scope organization:write.',
      );
    return view;
  }
}

/** A view that is not visible does not exist for the caller. Throws NOT_FOUND, or INSUFFICIENT_SCOPE for the list. */
function requireVisible(
  view: ViewEntity,
  caller: ViewCaller,
  { params }: Pick<Input<NoQuery, unknown>, 'params'>,
): void {
  if (isViewVisible(view, caller)) return;
  const { read } = viewPages[view.page];
  if (view.visibility === 'organization' && !caller.scopes.includes(read))
    throw new Fault('INSUFFICIENT_SCOPE', { required: read });
  throw new Fault('NOT_FOUND', { resource: 'view', id: params['id'] ?? '' });
}

/** Throws VALIDATION_ERROR or INSUFFICIENT_SCOPE. */
function requireAllowed(view: SavedViewScope, caller: ViewCaller, faults: FieldFault[]): void {
  throwFaults(faults);
  const change = changeOfView(view, caller);
  if (change.kind === 'scope') throw new Fault('INSUFFICIENT_SCOPE', { required: change.required });
  if (change.kind === 'fault')
    throwFaults([{ ...change.fault, message: `${change.fault.path} ${change.fault.message}` }]);
}

async function requireRoomOfOwner(tx: Tx, view: ViewEntity): Promise<void> {
  const most = savedViewLimits.ofOwner;
  if ((await countOfOwner(tx, view, view.ownerId)) < most) return;
  const whose = view.ownerId === null ? 'Keys have made' : 'The member has';
  throw new Fault('CONFLICT', null, `${whose} ${most} views, and there may not be more. Delete one first.`);
}

/** Undefined keeps. A view that a team does not see any more has no team. */
function changedView(before: ViewSettings, sent: PutView): ViewSettings {
  const visibility = patched(before.visibility, sent.visibility);
  const keptTeam = visibility === 'team' ? before.teamId : null;
  return {
    name: patched(before.name, sent.name),
    query: patched(before.query, sent.query),
    visibility,
    teamId: sent.teamId ? uuidOf('team', sent.teamId) : sent.teamId === null ? null : keptTeam,
    position: patched(before.position, sent.position),
  };
}

const viewRecord = (view: ViewEntity): View => ({
  id: publicId('view', view.id),
  name: view.name,
  page: view.page,
  query: view.query,
  visibility: view.visibility,
  teamId: publicId('team', view.teamId),
  ownerId: publicId('member', view.ownerId),
  position: view.position,
  createdAt: view.createdAt.toISOString(),
  updatedAt: view.updatedAt.toISOString(),
  version: view.version,
});
