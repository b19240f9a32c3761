/** Signing in with the OpenID provider: the way there, and what comes back. */
import {
  Fault,
  WithSession,
  type NoQuery,
  type OpenIdRedirect,
  type OpenIdSignedIn,
  type PostOpenIdAnswer,
  type PostOpenIdSignIn,
  type PublicInput,
} from '@ams/contracts';
import { Database } from '@ams/database';
import { Logger } from '@ams/messaging';
import { Housekeeping } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { SignIns } from '../sessions/sign-ins.js';
import { newSignIn, storeSignIn, useSignIn } from './openid-attempts.js';
import { openIdMember } from './openid-members.js';
import { OpenIdProvider } from './openid-provider.js';
import { type OpenIdSettings } from './openid-settings.js';
import { TeamFollowers } from './team-followers.js';

const tenMinutesMs = 600_000;

@Injectable()
export class OpenIdSignInService {
  constructor(
    private readonly database: Database,
    private readonly provider: OpenIdProvider,
    private readonly signIns: SignIns,
    private readonly followers: TeamFollowers,
    private readonly log: Logger,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add({
      name: 'old sign-ins at the OpenID provider',
      everyMs: tenMinutesMs,
      run: () => database.query('DELETE FROM auth.openid_sign_ins WHERE expires_at < now()'),
    });
  }

  /** Throws NOT_FOUND when no provider is set up, and UNAVAILABLE when it does not answer. */
  async begin({ body, requestId }: PublicInput<NoQuery, PostOpenIdSignIn>): Promise<WithSession<OpenIdRedirect>> {
    requireSetUp(this.provider.settings);
    const begun = newSignIn();
    const url = await this.provider.authorizationUrl(begun.proofs, requestId);
    const expiresAt = await storeSignIn(this.database, begun, body.returnTo ?? '/');
    return new WithSession({ url }, { token: begun.token, expiresAt: expiresAt.toISOString() });
  }

  /** Throws UNAUTHORIZED for an answer that is not valid, and INSUFFICIENT_SCOPE for somebody who may not sign in. */
  async complete(input: PublicInput<NoQuery, PostOpenIdAnswer>): Promise<WithSession<OpenIdSignedIn>> {
    const { body, requestId } = input;
    const settings = requireSetUp(this.provider.settings);
    const expected = await useSignIn(this.database, input.sessionHash, body.parameters['state'] ?? '');
    if (!expected) throw refused();
    const authenticated = await this.provider.authenticate(body.parameters, expected.proofs, requestId);
    if (authenticated.kind === 'refused') throw refused();
    const { issuer, subject, claims } = authenticated;
    const done = await this.database.asService(async (tx) => {
      const { account, member, membership } = await openIdMember(tx, { issuer, subject, claims }, settings);
      const { organizationId, id: memberId } = member;
      await this.followers.note(tx, {
        organizationId,
        memberId,
        teams: membership.teams,
        actorName: settings.name,
        requestId,
      });
      const signIn = { accountId: account.id, memberId, method: 'openid' } as const;
      return { memberId, begun: await this.signIns.begin(tx, input, signIn) };
    });
    void this.followers.tell(done.memberId);
    this.log.debug({ requestId, issuer }, 'somebody signed in with OpenID Connect');
    const { record, session } = await this.signIns.afterwards(done.begun);
    return new WithSession({ ...record, returnTo: expected.returnTo }, session);
  }
}

/** Throws NOT_FOUND. */
function requireSetUp(settings: OpenIdSettings | null): OpenIdSettings {
  if (settings) return settings;
  throw new Fault('NOT_FOUND', null, 'OpenID Connect is not set up.');
}

const refused = (): Fault<'UNAUTHORIZED'> =>
  new Fault('UNAUTHORIZED', null, 'This sign-in is not valid, or not any more. Begin again.');
