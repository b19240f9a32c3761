import {
  deleteMember,
  disableMember,
  enableMember,
  inviteMember,
  updateMember,
  type Input,
  type MemberRecord,
  type NoQuery,
  type PostMember,
  type PutMember,
  type WithSession,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { MembersService } from './members.service.js';

@Controller()
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Handles(inviteMember)
  invite(input: Input<NoQuery, PostMember>): Promise<MemberRecord> {
    return this.members.invite(input);
  }

  @Handles(updateMember)
  update(input: Input<NoQuery, PutMember>): Promise<MemberRecord> {
    return this.members.update(input);
  }

  @Handles(disableMember)
  disable(input: Input<NoQuery, undefined>): Promise<MemberRecord> {
    return this.members.disable(input);
  }

  @Handles(enableMember)
  enable(input: Input<NoQuery, undefined>): Promise<MemberRecord> {
    return this.members.enable(input);
  }

  @Handles(deleteMember)
  delete(input: Input<NoQuery, undefined>): Promise<void | WithSession> {
    return this.members.delete(input);
  }
}
