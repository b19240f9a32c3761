/** Reads of members, which auth writes. They are read here because this service knows who is on call. */
import type { Input, ListMembersQuery, Member, Page } from '@ams/contracts';
import { Database } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { membersOnCall } from '../schedules/on-call.service.js';
import { membersPage } from './member-queries.js';

@Injectable()
export class MembersService {
  constructor(private readonly database: Database) {}

  list({ principal, query }: Input<ListMembersQuery, undefined>): Promise<Page<Member>> {
    return this.database.readAs(principal, async (tx) => {
      const onCall = await membersOnCall(tx, principal, new Date());
      return membersPage(tx, principal, query, onCall);
    });
  }
}
