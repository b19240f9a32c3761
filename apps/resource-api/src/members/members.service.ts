/** Reads of members, which auth writes. They are read here because this service knows who is on call. */
import type { Input, ListMembersQuery, Member, NoQuery, Page } from '@ams/contracts';
import { Database } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { membersOnCall } from '../schedules/on-call.service.js';
import { memberOf, membersPage } from './member-queries.js';

@Injectable()
export class MembersService {
  constructor(private readonly database: Database) {}

  list({ principal, query }: Input<ListMembersQuery, undefined>): Promise<Page<Member>> {
    return this.database.readAs(principal, async (tx) => {
      const onCall = await membersOnCall(tx, principal, new Date());
      return membersPage(tx, principal, query, onCall);
    });
  }

  get(input: Input<NoQuery, undefined>): Promise<Member> {
    return this.database.readAs(input.principal, async (tx) =>
      memberOf(tx, input, await membersOnCall(tx, input.principal, new Date())),
    );
  }
}
