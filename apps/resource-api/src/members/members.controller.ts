import {
  getMember,
  listMembers,
  type Input,
  type ListMembersQuery,
  type Member,
  type NoQuery,
  type Page,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { MembersService } from './members.service.js';

@Controller()
export class MembersController {
  constructor(private readonly service: MembersService) {}

  @Handles(listMembers)
  list(input: Input<ListMembersQuery, undefined>): Promise<Page<Member>> {
    return this.service.list(input);
  }

  @Handles(getMember)
  get(input: Input<NoQuery, undefined>): Promise<Member> {
    return this.service.get(input);
  }
}
