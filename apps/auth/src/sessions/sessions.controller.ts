import {
  changePassword,
  endOtherSessions,
  endSession,
  getSession,
  listSessions,
  signIn,
  signOut,
  switchOrganization,
  type Input,
  type ListSessionsQuery,
  type NoQuery,
  type OwnSession,
  type Page,
  type PostSession,
  type PublicInput,
  type PutPassword,
  type PutSession,
  type Session,
  type SignedIn,
  type WithSession,
} from '@ams/contracts';
import { Handles, HandlesPublic } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { PasswordSignInService } from './password-sign-in.service.js';
import { SessionsService } from './sessions.service.js';

@Controller()
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly passwordSignIn: PasswordSignInService,
  ) {}

  @HandlesPublic(signIn)
  signIn(input: PublicInput<NoQuery, PostSession>): Promise<WithSession<SignedIn>> {
    return this.passwordSignIn.signIn(input);
  }

  @Handles(getSession)
  get(input: Input<NoQuery, undefined>): Promise<Session> {
    return this.sessions.get(input);
  }

  @Handles(switchOrganization)
  switch(input: Input<NoQuery, PutSession>): Promise<WithSession<Session>> {
    return this.sessions.switch(input);
  }

  @Handles(signOut)
  signOut(input: Input<NoQuery, undefined>): Promise<WithSession> {
    return this.sessions.signOut(input);
  }

  @Handles(listSessions)
  list(input: Input<ListSessionsQuery, undefined>): Promise<Page<OwnSession>> {
    return this.sessions.list(input);
  }

  @Handles(endSession)
  end(input: Input<NoQuery, undefined>): Promise<void | WithSession> {
    return this.sessions.end(input);
  }

  @Handles(endOtherSessions)
  endOthers(input: Input<NoQuery, undefined>): Promise<void> {
    return this.sessions.endOthers(input);
  }

  @Handles(changePassword)
  changePassword(input: Input<NoQuery, PutPassword>): Promise<WithSession<Session>> {
    return this.passwordSignIn.change(input);
  }
}
