import {
  acceptInvitation,
  getInvitation,
  requestPasswordReset,
  resetPassword,
  sendInvitation,
  welcome,
  type Input,
  type Invitation,
  type MemberRecord,
  type NoQuery,
  type PasswordResetRequested,
  type PostInvitationAcceptance,
  type PostPasswordReset,
  type PostToken,
  type PublicInput,
  type PutPasswordReset,
  type SignedIn,
  type WithSession,
} from '@ams/contracts';
import { Handles, HandlesPublic } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { InvitationsService } from './invitations.service.js';

@Controller()
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @HandlesPublic(getInvitation)
  get(input: PublicInput<NoQuery, PostToken>): Promise<Invitation> {
    return this.invitations.get(input);
  }

  @HandlesPublic(acceptInvitation)
  accept(input: PublicInput<NoQuery, PostInvitationAcceptance>): Promise<WithSession<SignedIn>> {
    return this.invitations.accept(input);
  }

  @Handles(sendInvitation)
  send(input: Input<NoQuery, undefined>): Promise<MemberRecord> {
    return this.invitations.send(input);
  }

  @HandlesPublic(requestPasswordReset)
  requestReset(input: PublicInput<NoQuery, PostPasswordReset>): Promise<PasswordResetRequested> {
    return this.invitations.requestReset(input);
  }

  @HandlesPublic(resetPassword)
  reset(input: PublicInput<NoQuery, PutPasswordReset>): Promise<void> {
    return this.invitations.reset(input);
  }

  @HandlesPublic(welcome)
  welcome(input: PublicInput<NoQuery, PostToken>): Promise<WithSession<SignedIn>> {
    return this.invitations.welcome(input);
  }
}
