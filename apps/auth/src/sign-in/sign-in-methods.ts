import { type SignInMethods } from '@ams/contracts';
import { Injectable } from '@nestjs/common';
import { OpenIdProvider } from '../openid/openid-provider.js';
import { RelyingPartySettings } from '../passkeys/relying-party-settings.js';

/** Which ways to sign in the operator has set up. It does not ask whether the provider answers. */
@Injectable()
export class SignInMethodsService {
  constructor(
    private readonly provider: OpenIdProvider,
    private readonly passkeys: RelyingPartySettings,
  ) {}

  get(): SignInMethods {
    const { settings } = this.provider;
    return {
      password: true,
      passkey: this.passkeys.party !== null,
      openId: settings ? { name: settings.name } : null,
    };
  }
}
