import {
  beginOpenIdSignIn,
  signInWithOpenId,
  type NoQuery,
  type OpenIdRedirect,
  type OpenIdSignedIn,
  type PostOpenIdAnswer,
  type PostOpenIdSignIn,
  type PublicInput,
  type WithSession,
} from '@ams/contracts';
import { HandlesPublic } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { OpenIdSignInService } from './openid-sign-in.service.js';

@Controller()
export class OpenIdController {
  constructor(private readonly service: OpenIdSignInService) {}

  @HandlesPublic(beginOpenIdSignIn)
  begin(input: PublicInput<NoQuery, PostOpenIdSignIn>): Promise<WithSession<OpenIdRedirect>> {
    return this.service.begin(input);
  }

  @HandlesPublic(signInWithOpenId)
  complete(input: PublicInput<NoQuery, PostOpenIdAnswer>): Promise<WithSession<OpenIdSignedIn>> {
    return this.service.complete(input);
  }
}
