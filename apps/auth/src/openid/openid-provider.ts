/**
 * The OpenID provider of the operator. Its metadata is read when somebody signs in and kept for a day: this service
 * starts, and everything else works, while the provider does not answer. The operator names the issuer, so requests to
 * private addresses are allowed here.
 */
import { Fault } from '@ams/contracts';
import { Logger } from '@ams/messaging';
import { Injectable } from '@nestjs/common';
import * as openid from 'openid-client';
import { AuthSettings } from '../settings.js';
import { openIdSettings, type OpenIdSettings } from './openid-settings.js';

const metadataMaxAgeMs = 86_400_000;

/** What one browser gets for one sign-in. All three are derived from the token in its cookie. */
export interface Proofs {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export type Authenticated =
  | { kind: 'authenticated'; issuer: string; subject: string; claims: Record<string, unknown> }
  /** The answer is not one for this browser, or its token is not valid. */
  | { kind: 'refused'; reason: string };

@Injectable()
export class OpenIdProvider {
  /** Null: the operator has not set up a provider. */
  readonly settings: OpenIdSettings | null;
  private known: { configuration: openid.Configuration; at: number } | null = null;
  private reading: Promise<openid.Configuration> | null = null;

  constructor(
    settings: AuthSettings,
    private readonly log: Logger,
  ) {
    this.settings = openIdSettings(settings);
  }

  /** Where the browser goes. Throws UNAVAILABLE. */
  async authorizationUrl(proofs: Proofs, requestId: string): Promise<string> {
    const settings = this.required();
    const configuration = await this.configuration(requestId);
    return openid.buildAuthorizationUrl(configuration, {
      redirect_uri: settings.redirectUri,
      scope: settings.scope,
      state: proofs.state,
      nonce: proofs.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(proofs.codeVerifier),
      code_challenge_method: 'S256',
    }).href;
  }

  /** Exchanges the code of the answer and checks the id token: signature, issuer, audience, expiry and nonce. */
  async authenticate(parameters: Record<string, string>, proofs: Proofs, requestId: string): Promise<Authenticated> {
    const settings = this.required();
    const configuration = await this.configuration(requestId);
    const url = new URL(settings.redirectUri);
    url.search = new URLSearchParams(parameters).toString();
    try {
      const tokens = await openid.authorizationCodeGrant(configuration, url, {
        expectedState: proofs.state,
        expectedNonce: proofs.nonce,
        pkceCodeVerifier: proofs.codeVerifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (!idToken) return { kind: 'refused', reason: 'there is no id token' };
      const claims = await this.withUserInfo(configuration, tokens.access_token, idToken);
      return { kind: 'authenticated', issuer: idToken.iss, subject: idToken.sub, claims };
    } catch (error) {
      if (isUnavailable(error)) throw this.unavailable(error, requestId);
      const reason = reasonOf(error);
      this.log.info({ requestId, reason }, 'a sign-in with OpenID Connect was refused');
      return { kind: 'refused', reason };
    }
  }

  /** Many providers tell groups and e-mail addresses only there. The subject must be the same. */
  private async withUserInfo(
    configuration: openid.Configuration,
    accessToken: string,
    idToken: openid.IDToken,
  ): Promise<Record<string, unknown>> {
    if (!configuration.serverMetadata().userinfo_endpoint) return idToken;
    return { ...(await openid.fetchUserInfo(configuration, accessToken, idToken.sub)), ...idToken };
  }

  private required(): OpenIdSettings {
    if (!this.settings) throw new Fault('NOT_FOUND', null, 'OpenID Connect is not set up.');
    return this.settings;
  }

  private async configuration(requestId: string): Promise<openid.Configuration> {
    const now = performance.now();
    if (this.known && now - this.known.at < metadataMaxAgeMs) return this.known.configuration;
    this.reading ??= this.discover().finally(() => (this.reading = null));
    try {
      const configuration = await this.reading;
      this.known = { configuration, at: now };
      return configuration;
    } catch (error) {
      if (this.known) return this.known.configuration;
      throw this.unavailable(error, requestId);
    }
  }

  private async discover(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret, timeoutSeconds } = this.required();
    const authentication = clientSecret === null ? openid.None() : openid.ClientSecretPost(clientSecret);
    return openid.discovery(issuer, clientId, {}, authentication, {
      timeout: timeoutSeconds,
      execute: [
        openid.enableNonRepudiationChecks,
        // The settings allow http only for a provider on this machine.
        ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
      ],
    });
  }

  private unavailable(error: unknown, requestId: string): Fault {
    this.log.warn({ requestId, reason: reasonOf(error) }, 'the OpenID provider cannot be used');
    return new Fault('UNAVAILABLE', { requestId }, `${this.settings?.name} does not answer at the moment. Try again.`);
  }
}

/** Errors of the network, time-outs, and answers with 5xx, for which the same request may succeed later. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true;
  if (error instanceof TypeError && error.message === 'fetch failed') return true;
  const { status, cause } = error as { status?: number; cause?: unknown };
  if (status !== undefined) return status >= 500;
  return cause instanceof Response ? cause.status >= 500 : cause instanceof Error && isUnavailable(cause);
}

/** Without values of tokens: the message of the library names claims and codes only. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, error: word } = error as { code?: string; error?: string };
  return [error.message, code, word].filter((part) => typeof part === 'string' && part !== '').join('; ');
}
