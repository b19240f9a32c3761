import {
  beginPasskeySignIn,
  getSignInMethods,
  signInWithCode,
  signInWithPasskey,
  type NoQuery,
  type PasskeyOptions,
  type PostPasskeySignIn,
  type PostTotpCode,
  type PublicInput,
  type SignedIn,
  type SignInMethods,
  type WithSession,
} from '@ams/contracts';
import { HandlesPublic } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { PasskeySignIn } from './passkey-sign-in.js';
import { SecondFactorSignIn } from './second-factor-sign-in.js';
import { SignInMethodsService } from './sign-in-methods.js';

@Controller()
export class SignInController {
  constructor(
    private readonly methods: SignInMethodsService,
    private readonly codes: SecondFactorSignIn,
    private readonly passkeys: PasskeySignIn,
  ) {}

  @HandlesPublic(getSignInMethods)
  getMethods(): Promise<SignInMethods> {
    return Promise.resolve(this.methods.get());
  }

  @HandlesPublic(signInWithCode)
  withCode(input: PublicInput<NoQuery, PostTotpCode>): Promise<WithSession<SignedIn>> {
    return this.codes.complete(input);
  }

  @HandlesPublic(beginPasskeySignIn)
  beginPasskey(): Promise<PasskeyOptions> {
    return this.passkeys.begin();
  }

  @HandlesPublic(signInWithPasskey)
  withPasskey(input: PublicInput<NoQuery, PostPasskeySignIn>): Promise<WithSession<SignedIn>> {
    return this.passkeys.complete(input);
  }
}
