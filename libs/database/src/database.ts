/**
 * Access to the database. There are two kinds of transactions:
 *
 *   readAs, writeAs:  serve a principal. They run as the role `<service>_principal`, for which row-level security shows
 *                     one tenant only; for a narrowed key, only what belongs to its clients and teams. A write
 *                     locks the principal's key or session. Both check it again at the end: nothing is committed or
 *                     returned for a key that was revoked, or a session that ended, meanwhile
 *   asService:        the service's own work, for all tenants
 *
 *   writeTogether:    several writes of a principal in one transaction: each `writeAs` that the work calls joins it
 *
 * Work for a tenant in the background (`sharing`) uses half of the connections at most, and organizations and teams
 * take turns. So it never takes the connections that requests and consumers of events need.
 *
 * All use as few round trips as possible: settings are sent with BEGIN, the last check of the key with COMMIT.
 */
import 'reflect-metadata';
import { Fault, isUuid, outsideNarrowing, type Principal, type TlsFiles } from '@ams/contracts';
import { AnswerTimes, RecentActivity, RecentWork, type KeyRestriction, type Places, type Share } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { AsyncLocalStorage } from 'node:async_hooks';
import pg, { type Pool, type PoolClient } from 'pg';
import { DataSource, type EntityManager, type ObjectLiteral, type Repository } from 'typeorm';
import { clientWithDeadline } from './deadline-client.js';
import { FairSlots } from './fair-slots.js';
import { serviceRoles, type DatabaseService } from './roles.js';
import { selectOf } from './select-of.js';
import { sentTogether } from './sent-together.js';
import { StatementNames } from './statement-names.js';
import { postgresTls } from './tls.js';
import { clientOf, markTransaction, poolOf, release } from './typeorm-adapter.js';

export interface DatabaseOptions {
  service: DatabaseService;
  url: string;
  /** Undefined: as the URL says. */
  tls?: TlsFiles | undefined;
  poolSize: number;
  /** How long a statement may take. Then the connection is closed. */
  timeoutMs?: number;
  /** How long to wait for a connection: for a free one, or until a new one is open. */
  connectTimeoutMs?: number;
  /** The entities of the service. */
  entities?: (new () => object)[];
  log?: { warn(facts: Record<string, unknown>, message: string): void };
  /** Called when no connection was free, or could be opened, within `connectTimeoutMs`. */
  connectTimedOut?: () => void;
}

/** An SQL text. With a name, each connection parses and plans it only once. A text that is repeated gets one. */
export type Statement = string | { name: string; text: string };

export interface Tx {
  /**
   * Records of an entity, outside hot paths: `find`, `insert`, `update`, `delete`. Not `save` and `remove`, which read
   * before they write (lint rejects them).
   */
  repository<Entity extends ObjectLiteral>(entity: new () => Entity): Repository<Entity>;
  /** SQL, for hot paths and for queries that are not records. */
  query<R>(sql: Statement, params?: unknown[]): Promise<R[]>;
  /**
   * Runs `work` with the tables of another environment of the same organization. The caller must authorize this first.
   */
  inEnvironment<T>(environment: Environment, work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` with the whole tenant although the key is narrowed: for bookkeeping that follows from a permitted
   * change, such as counters and audit entries. Nothing that `work` reads may reach the caller.
   */
  beyondNarrowing<T>(work: () => Promise<T>): Promise<T>;
}

/** A UUID as an SQL literal; throws for anything else. */
function uuidLiteral(uuid: string): string {
  if (!isUuid(uuid)) throw new Error('not a UUID');
  return `'${uuid}'`;
}

const defaultTimeoutMs = 15_500;
const defaultConnectTimeoutMs = 3000;
/** The server ends a statement this long before the client closes the connection. */
const serverIsEarlierMs = 500;
/** How long a connection is idle before TCP checks that the other side is there. */
const keepAliveAfterMs = 5_000;

/** The transaction of `writeTogether`, for the work that it calls. */
interface SharedTransaction {
  database: Database;
  principal: Principal;
  tx: Tx;
  /** The first error of a part. After it, nothing can be committed. */
  failure?: { error: unknown };
  afterCommit: (() => Promise<void>)[];
  isOver: boolean;
}

const shared = new AsyncLocalStorage<SharedTransaction>();

/** The share of work in the background (`sharing`). */
interface Sharing {
  database: Database;
  share: Share;
  /** Whether a part of the work that is running has a place: its own parts need no other one. */
  hasPlace: boolean;
}

const sharing = new AsyncLocalStorage<Sharing>();

/** The places of work in the background, of a pool of connections, with this part of them for one organization. */
function placesOf(poolSize: number, part: number): Places {
  const total = Math.max(1, Math.floor(poolSize / 2));
  const most = Math.ceil(total * part);
  return { total, organization: most, team: most };
}

/**
 * The services whose own statements have one plan for all parameters: they look for records by id, also in partitioned
 * tables, for which PostgreSQL would make a plan each time (ADR 59). Statements for a principal, which filter lists,
 * have the plan that PostgreSQL chooses.
 */
const genericPlans: ReadonlySet<DatabaseService> = new Set(['workflow-engine']);

/** `any`: of all connections in the background; the others are before it, while other organizations have work. */
export type BackgroundPlace = 'any' | 'besideOthers' | 'muchWork';

/** An organization that had less work lately leaves its connections to nobody. */
const muchWorkMs = 50;
/** While the database is slow, such an organization rests for so long after each millisecond of work. */
const restForEach = 1;
const mostRestMs = 20;

const unusableFiles = 'the files of TLS have changed and cannot be used; those from before are used';
/** The message of pg-pool. */
const connectTimeOut = 'timeout exceeded when trying to connect';
const retryable = new Set(['40001', '40P01']);
const attempts = 4;
const insufficientPrivilege = '42501';
/** Raised by auth.require_live_key. */
const keyNotLive = 'AK401';

/** A read sends its first statement together with BEGIN; a read at once sends all together with COMMIT (ADR 77). */
type TransactionKind = 'write' | 'read' | 'read at once';

export class Database {
  private readonly slots: FairSlots;
  /** Before those, while other organizations have work in the background: what runs at once competes for processors. */
  private readonly slotsBesideOthers: FairSlots;
  /** Before those, for one that has much more work than others, while the database is slow. */
  private readonly slotsOfMuch: FairSlots;
  private readonly activity = new RecentActivity();
  private readonly work = new RecentWork(muchWorkMs);
  private readonly answerTimes = new AnswerTimes();
  private readonly names = new StatementNames();

  private constructor(
    private readonly source: DataSource,
    readonly service: DatabaseService,
    poolSize: number,
    private readonly connectTimedOut: () => void,
  ) {
    this.slots = new FairSlots(placesOf(poolSize, 0.75));
    this.slotsBesideOthers = new FairSlots(placesOf(poolSize, 0.3));
    this.slotsOfMuch = new FairSlots(placesOf(poolSize, 0.1), mostRestMs);
  }

  static async open(options: DatabaseOptions): Promise<Database> {
    const { timeoutMs = defaultTimeoutMs, connectTimeoutMs = defaultConnectTimeoutMs } = options;
    const statementMs = timeoutMs - serverIsEarlierMs;
    const unusable = (error: unknown) => options.log?.warn({ err: error }, unusableFiles);
    const source = new DataSource({
      type: 'postgres',
      driver: pg, // TypeORM would look for the package, which a bundle alone does not have
      url: options.url,
      ...postgresTls(options.url, options.tls, unusable),
      applicationName: options.service,
      poolSize: options.poolSize,
      connectTimeoutMS: connectTimeoutMs,
      entities: options.entities ?? [],
      installExtensions: false,
      logging: false,
      poolErrorHandler: (error: unknown) => options.log?.warn({ err: error }, 'a database connection was lost'),
      extra: {
        min: 0,
        idleTimeoutMillis: 60_000,
        Client: clientWithDeadline(timeoutMs),
        pipeline: true, // a statement is sent without waiting for the answers to those before it (ADR 77)
        statement_timeout: statementMs,
        lock_timeout: Math.min(5_000, Math.ceil(statementMs * 0.8)),
        // The transaction of a connection that was lost keeps its locks until the server ends it.
        idle_in_transaction_session_timeout: 2 * timeoutMs,
        ...(genericPlans.has(options.service) ? { options: '-c plan_cache_mode=force_generic_plan' } : {}),
        keepAlive: true,
        keepAliveInitialDelayMillis: keepAliveAfterMs,
        // A connection that is lost immediately has no other listener yet, and would end the process. Its user still
        // gets the error.
        onConnect: (client: PoolClient) => void client.on('error', () => undefined),
      },
    });
    await source.initialize();
    return new Database(source, options.service, options.poolSize, options.connectTimedOut ?? (() => undefined));
  }

  async close(): Promise<void> {
    if (this.source.isInitialized) await this.source.destroy();
  }

  /**
   * Opens so many connections, for a service that starts: its first callers would wait for all of them at the same
   * time. Throws when one cannot be opened in time.
   */
  async openConnections(count: number): Promise<void> {
    const opened = await Promise.allSettled(Array.from({ length: count }, () => this.pool.connect()));
    for (const one of opened) if (one.status === 'fulfilled') one.value.release();
    for (const one of opened) if (one.status === 'rejected') throw one.reason;
  }

  /** Whether the database responds. */
  async answers(): Promise<boolean> {
    try {
      await this.pool.query('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  /** For a single statement of the service itself without a transaction. */
  query<R>(sql: Statement, params: unknown[] = []): Promise<R[]> {
    return this.inTurn(async () => {
      const ask = () => this.pool.query(this.withValues(sql, params));
      const { rows } = await ask()
        .catch((error: unknown) => (this.planIsOld(error) ? ask() : Promise.reject(error as Error)))
        .catch((error: unknown) => this.noteTimeOut(error));
      return rows as R[];
    });
  }

  /** The same for several statements, one after another on one connection: they wait for their turn once. */
  statements<T>(work: (queries: Pick<Tx, 'query'>) => Promise<T>): Promise<T> {
    return this.inTurn(async () => {
      const client = await this.pool.connect().catch((error: unknown) => this.noteTimeOut(error));
      try {
        return await work({ query: this.queriesOn(client) });
      } finally {
        client.release();
      }
    });
  }

  /** The columns of an entity, for statements outside a transaction: see `selectOf`. */
  selectOf(entity: new () => ObjectLiteral, alias: string): string {
    return selectOf({ repository: (of) => this.source.getRepository(of) }, entity, alias);
  }

  /**
   * Work in the background for an organization and a team. Its statements and transactions wait for their turn, without
   * a time limit.
   */
  sharing<T>(share: Share, work: () => Promise<T>): Promise<T> {
    return sharing.run({ database: this, share, hasPlace: false }, work);
  }

  /** The work in the background that waits, by the place that it waits for. */
  get waiting(): Record<BackgroundPlace, number> {
    const { slots, slotsBesideOthers, slotsOfMuch } = this;
    return { any: slots.waiting, besideOthers: slotsBesideOthers.waiting, muchWork: slotsOfMuch.waiting };
  }

  /** Whether the organization has much more work in the background than others, while the database is slow. */
  hasMuchWhileSlow(organization: string): boolean {
    const now = performance.now();
    return this.answerTimes.isSlow(now) && this.work.hasMuchBesideLittle(organization, now);
  }

  /** A transaction within another one needs no other place: otherwise both could wait for each other. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const own = sharing.getStore();
    if (!own || own.database !== this || own.hasPlace) return work();
    const { share } = own;
    const { organization } = share;
    const now = performance.now();
    this.activity.note(organization, now);
    const inTurn = (): Promise<T> =>
      this.slots.run(share, () => sharing.run({ ...own, hasPlace: true }, () => this.counted(organization, work)));
    if (!this.activity.isAnyBeside(organization, now)) return inTurn();
    const besideOthers = (): Promise<T> => this.slotsBesideOthers.run(share, inTurn);
    return this.hasMuchWhileSlow(organization)
      ? this.slotsOfMuch.run(share, besideOthers, restForEach)
      : besideOthers();
  }

  private async counted<T>(organization: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      const now = performance.now();
      this.work.note(organization, now - begun, now);
    }
  }

  /** The plan of a named statement is for columns that a migration has changed. It was not executed. */
  private planIsOld(error: unknown): boolean {
    const { code, message = '' } = error as { code?: string; message?: string };
    if (code !== '0A000' || !message.includes('cached plan')) return false;
    this.names.forgetAll();
    return true;
  }

  private withValues(sql: Statement, values: unknown[]): pg.QueryConfig {
    if (typeof sql !== 'string') return { ...sql, values };
    const name = this.names.nameOf(sql);
    return name === undefined ? { text: sql, values } : { name, text: sql, values };
  }

  private queriesOn(client: PoolClient): Tx['query'] {
    return async <R>(sql: Statement, params: unknown[] = []) =>
      (await client.query(this.withValues(sql, params))).rows as R[];
  }

  private noteTimeOut(error: unknown): never {
    if (error instanceof Error && error.message === connectTimeOut) this.connectTimedOut();
    throw error;
  }

  private get pool(): Pool {
    return poolOf(this.source);
  }

  /**
   * Several writes of a principal, all or nothing. Every `writeAs` and `readAs` of this principal that `work` calls, in
   * any function below it, is a part of the transaction. Options of the parts are ignored. When one of them fails, the
   * whole fails, also if `work` handles the error.
   */
  async writeTogether<T>(principal: Principal, work: (tx: Tx) => Promise<T>): Promise<T> {
    let afterCommit: SharedTransaction['afterCommit'] = [];
    const result = await this.writeAs(principal, async (tx) => {
      const own: SharedTransaction = { database: this, principal, tx, afterCommit: [], isOver: false };
      ({ afterCommit } = own);
      try {
        const done = await shared.run(own, () => work(tx));
        if (own.failure) throw own.failure.error;
        return done;
      } catch (error) {
        // The reason for a repetition of the transaction may be hidden behind another error.
        throw own.failure && isRetryable(own.failure.error) ? own.failure.error : error;
      } finally {
        own.isOver = true;
      }
    });
    await Promise.all(afterCommit.map((next) => next()));
    return result;
  }

  /** Runs `work` when what was written is committed: now, or at the end of the `writeTogether` that this is part of. */
  async afterCommit(work: () => Promise<void>): Promise<void> {
    const whole = this.sharedTransaction();
    if (whole) whole.afterCommit.push(work);
    else await work();
  }

  private sharedTransaction(): SharedTransaction | null {
    const whole = shared.getStore();
    return whole && whole.database === this && !whole.isOver ? whole : null;
  }

  /** The part of a transaction of the same principal, or null when there is none to join. */
  private joined<T>(principal: Principal, work: (tx: Tx) => Promise<T>): Promise<T> | null {
    const whole = this.sharedTransaction();
    if (!whole) return null;
    if (!isSamePrincipal(whole.principal, principal)) throw new Error('the transaction is of another principal');
    return work(whole.tx).catch((error: unknown) => {
      whole.failure ??= { error };
      throw refusalIn(error) ?? error;
    });
  }

  /** A read for a principal. Throws UNAUTHORIZED when the key was revoked before the result was complete. */
  readAs<T>(principal: Principal, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.joined(principal, work) ?? this.read(principal, work, 'read');
  }

  /**
   * A read in one round trip: `work` sends its statements before it waits for an answer. One that it sends later is
   * refused. Throws what `readAs` throws.
   */
  readAtOnceAs<T>(principal: Principal, work: (tx: Pick<Tx, 'query'>) => Promise<T>): Promise<T> {
    return this.joined(principal, work) ?? this.read(principal, work, 'read at once');
  }

  private read<T>(principal: Principal, work: (tx: Tx) => Promise<T>, kind: TransactionKind): Promise<T> {
    const begin = `BEGIN READ ONLY; ${this.tenantSettings(principal)}`;
    return this.transaction(begin, work, principal, liveAtEndOfRead(principal), kind);
  }

  /**
   * A write for a principal. If the key is already revoked, nothing is done; if it is revoked meanwhile, nothing is
   * committed. A revocation waits for the end of this transaction. `endsItself`: the key revokes itself here. The same
   * applies to a session, and to a member who is not active. Throws UNAUTHORIZED.
   */
  writeAs<T>(
    principal: Principal,
    work: (tx: Tx) => Promise<T>,
    { endsItself = false }: { endsItself?: boolean } = {},
  ): Promise<T> {
    const part = this.joined(principal, work);
    if (part) return part;
    const begin = `BEGIN; ${this.tenantSettings(principal)}`;
    if (principal.type === 'user' && principal.sessionId !== undefined) {
      const session = uuidLiteral(principal.sessionId);
      const member = uuidLiteral(principal.id);
      return this.transaction(
        `${begin}; SELECT auth.hold_session(${session}, ${member}, ${uuidLiteral(principal.organizationId)}) AS live`,
        work,
        principal,
        endsItself ? null : `SELECT auth.require_live_session(${session}, ${member})`,
      );
    }
    if (principal.type === 'user') {
      return this.transaction(
        `${begin}; SELECT auth.hold_member(${uuidLiteral(principal.id)}, ${uuidLiteral(principal.organizationId)}) AS
            live`,
        work,
        principal,
        null,
      );
    }
    const key = uuidLiteral(principal.id);
    return this.transaction(
      `${begin}; SELECT auth.hold_key(${key}) AS live`,
      work,
      principal,
      endsItself ? null : `SELECT auth.require_live_key(${key})`,
    );
  }

  /** The service's own work, in one transaction. */
  asService<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.transaction('BEGIN', work, null, null);
  }

  private tenantSettings({ organizationId, environment, restrictedTo }: Principal): string {
    if (environment !== 'live' && environment !== 'test') throw new Error('not an environment');
    return (
      `SET LOCAL ROLE ${serviceRoles[this.service]}_principal; ` +
      (genericPlans.has(this.service) ? 'SET LOCAL plan_cache_mode = auto; ' : '') +
      `SET LOCAL app.organization_id = ${uuidLiteral(organizationId)}; SET LOCAL app.environment = '${environment}'` +
      (restrictedTo ? `; ${narrowedTo(restrictedTo)}` : '')
    );
  }

  private transaction<T>(
    begin: string,
    work: (tx: Tx) => Promise<T>,
    principal: Principal | null,
    lastStatement: string | null,
    kind: TransactionKind = 'write',
  ): Promise<T> {
    return this.inTurn(() => this.transactionNow(begin, work, principal, lastStatement, kind));
  }

  private async transactionNow<T>(
    begin: string,
    work: (tx: Tx) => Promise<T>,
    principal: Principal | null,
    lastStatement: string | null,
    kind: TransactionKind,
  ): Promise<T> {
    const end = lastStatement ? `${lastStatement}; COMMIT` : 'COMMIT';
    for (let attempt = 1; ; attempt++) {
      const runner = this.source.createQueryRunner();
      const client = await clientOf(runner).catch((error: unknown) => this.noteTimeOut(error));
      let broken: Error | undefined;
      try {
        let isEnding = false;
        const send = this.queriesOn(client);
        const query: Tx['query'] = (...statement) =>
          isEnding ? Promise.reject(new Error('the transaction has ended')) : send(...statement);
        const tx = txOn(runner.manager, client, query, principal?.restrictedTo ?? null);
        markTransaction(runner);
        const finish = (): Promise<unknown> => {
          isEnding = true;
          return client.query(end);
        };
        const own = { client, begin, finish, work: async () => work(tx) };
        return await (kind === 'write'
          ? writeIn(own, principal === null ? this.answerTimes : null)
          : readIn(own, kind));
      } catch (error) {
        await client.query('ROLLBACK').catch((failure: Error) => {
          broken = failure;
        });
        if (attempt < attempts && (isRetryable(error) || this.planIsOld(error))) continue;
        throw refusalIn(error) ?? error;
      } finally {
        await release(runner, broken);
      }
    }
  }
}

interface OwnTransaction<T> {
  client: PoolClient;
  /** The statements before the work. */
  begin: string;
  work: () => Promise<T>;
  /** Sends the statements after the work. */
  finish: () => Promise<unknown>;
}

/**
 * Nothing is sent before BEGIN has succeeded: outside a transaction, a statement would commit alone. `answers`: notes
 * how long a BEGIN took that does nothing else.
 */
async function writeIn<T>({ client, begin, work, finish }: OwnTransaction<T>, answers: AnswerTimes | null): Promise<T> {
  const begun = performance.now();
  requireLive(await client.query(begin));
  const now = performance.now();
  answers?.note(now - begun, now);
  const result = await work();
  requireLive(await finish());
  return result;
}

/** When BEGIN fails, what was read after it is not returned. No answer is left for the next user of the connection. */
async function readIn<T>({ client, begin, work, finish }: OwnTransaction<T>, kind: TransactionKind): Promise<T> {
  const isAtOnce = kind === 'read at once';
  const [, result, ended] = await sentTogether([
    client.query(begin),
    work(),
    isAtOnce ? finish() : Promise.resolve(null),
  ]);
  requireLive(ended ?? (await finish()));
  return result;
}

/** A member who acts by a link in a message is checked in writes only. */
function liveAtEndOfRead({ type, id, sessionId }: Principal): string | null {
  if (type === 'api_key') return `SELECT auth.key_is_live(${uuidLiteral(id)}) AS live`;
  return sessionId === undefined
    ? null
    : `SELECT auth.session_is_live(${uuidLiteral(sessionId)}, ${uuidLiteral(id)}) AS live`;
}

const isRetryable = (error: unknown): boolean => retryable.has((error as { code?: string } | null)?.code ?? '');

const isSamePrincipal = (a: Principal, b: Principal): boolean =>
  a.id === b.id && a.organizationId === b.organizationId && a.environment === b.environment;

/** The fault for an error that the database raises because the caller may not do this. */
function refusalIn(error: unknown): Fault | null {
  const { code, message = '' } = error as { code?: string; message?: string };
  if (code === keyNotLive) return new Fault('UNAUTHORIZED', null);
  return code === insufficientPrivilege && message.includes('policy "narrowed"') ? outsideNarrowing() : null;
}

/** `app.client_ids` and `app.team_ids`, which the policies named `narrowed` read. */
function narrowedTo({ clientIds, teamIds }: KeyRestriction): string {
  const literal = (uuids: readonly string[]): string => {
    if (!uuids.every(isUuid)) throw new Error('not a UUID');
    return `'{${uuids.join(',')}}'`;
  };
  return `SET LOCAL app.client_ids = ${literal(clientIds)}; SET LOCAL app.team_ids = ${literal(teamIds)}`;
}

const txOn = (
  manager: EntityManager,
  client: PoolClient,
  query: Tx['query'],
  restrictedTo: KeyRestriction | null,
): Tx => ({
  repository: (entity) => manager.getRepository(entity),
  query,
  inEnvironment: async (environment, work) => {
    const [before] = (
      await client.query(
        "SELECT current_setting('app.environment', true) AS name, set_config('app.environment', $1, true)",
        [environment],
      )
    ).rows as { name: string }[];
    const result = await work();
    await client.query("SELECT set_config('app.environment', $1, true)", [before?.name ?? '']);
    return result;
  },
  beyondNarrowing: beyondNarrowingOf(client, restrictedTo),
});

/** Work within such work stays beyond it. */
function beyondNarrowingOf(client: PoolClient, restrictedTo: KeyRestriction | null): Tx['beyondNarrowing'] {
  let depth = 0;
  return async (work) => {
    if (!restrictedTo) return work();
    if (depth++ === 0) await client.query("SET LOCAL app.client_ids = ''; SET LOCAL app.team_ids = ''");
    const result = await work();
    if (--depth === 0) await client.query(narrowedTo(restrictedTo));
    return result;
  };
}

/**
 * The results of one or several statements. A row `{live: false}` means that the key is revoked, or the member not
 * active.
 */
function requireLive(results: unknown): void {
  for (const result of Array.isArray(results) ? results : [results]) {
    const rows = (result as { rows?: { live?: boolean }[] }).rows;
    if (rows?.[0]?.live === false) throw new Fault('UNAUTHORIZED', null);
  }
}
