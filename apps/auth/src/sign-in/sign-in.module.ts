import { Module } from '@nestjs/common';
import { OpenIdModule } from '../openid/openid.module.js';
import { PasskeysModule } from '../passkeys/passkeys.module.js';
import { SecondFactorsModule } from '../second-factors/second-factors.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { PasskeySignIn } from './passkey-sign-in.js';
import { SecondFactorSignIn } from './second-factor-sign-in.js';
import { SignInController } from './sign-in.controller.js';
import { SignInMethodsService } from './sign-in-methods.js';

@Module({
  imports: [SessionsModule, SecondFactorsModule, PasskeysModule, OpenIdModule],
  controllers: [SignInController],
  providers: [SignInMethodsService, SecondFactorSignIn, PasskeySignIn],
})
export class SignInModule {}
