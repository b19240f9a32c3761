/**
 * Tells resource-api which teams a member belongs to. What could not be told is stored with the identity and told later,
 * so a sign-in does not wait for another service.
 */
import { teamMembershipRequest, type TeamMembershipRequest } from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { Logger, RpcClient } from '@ams/messaging';
import { Housekeeping } from '@ams/persistence';
import { Injectable } from '@nestjs/common';

const timeoutMs = 3000;
const retryMs = 30_000;
const batch = 100;

@Injectable()
export class TeamFollowers {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly log: Logger,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add({ name: 'teams of OpenID groups', everyMs: retryMs, run: () => this.tellAll() });
  }

  /** In the transaction of the sign-in: a later request replaces an earlier one of the same member. */
  async note(tx: Tx, request: TeamMembershipRequest): Promise<void> {
    if (request.teams.length === 0) return;
    await tx.query(
      `INSERT INTO auth.openid_teams (member_id, request, noted_at) VALUES ($1, $2, clock_timestamp())
       ON CONFLICT (member_id) DO UPDATE SET request = excluded.request, noted_at = excluded.noted_at`,
      [request.memberId, JSON.stringify(request)],
    );
  }

  /** After the commit. Never throws. */
  async tell(memberId: string): Promise<void> {
    try {
      const [noted] = await this.database.query<Noted>(`${select} WHERE member_id = $1`, [memberId]);
      if (noted) await this.send(noted);
    } catch (error) {
      this.log.warn({ err: error }, 'the teams of a member could not be told; it will be tried again');
    }
  }

  private async tellAll(): Promise<void> {
    for (const noted of await this.database.query<Noted>(`${select} ORDER BY noted_at LIMIT ${batch}`)) {
      await this.send(noted);
    }
  }

  private async send({ request, notedAt }: Noted): Promise<void> {
    const { memberId, requestId } = request;
    const reply = await this.rpc.request(teamMembershipRequest, request, { timeoutMs, requestId });
    await this.database.query('DELETE FROM auth.openid_teams WHERE member_id = $1 AND noted_at = $2::timestamptz', [
      memberId,
      notedAt,
    ]);
    if (reply.unknown.length + reply.full.length > 0)
      this.log.warn({ requestId, unknown: reply.unknown, full: reply.full }, 'a member could not join some teams');
  }
}

interface Noted {
  request: TeamMembershipRequest;
  /** As a text, because a time of JavaScript has no microseconds. */
  notedAt: string;
}

const select = 'SELECT request, noted_at::text AS "notedAt" FROM auth.openid_teams';
