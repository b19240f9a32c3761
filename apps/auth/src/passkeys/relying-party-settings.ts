/** The relying party of this installation. */
import { Fault } from '@ams/contracts';
import { Injectable } from '@nestjs/common';
import { AuthSettings } from '../settings.js';
import { relyingPartyOf, type RelyingParty } from './relying-party.js';

@Injectable()
export class RelyingPartySettings {
  readonly party: RelyingParty | null;

  constructor({ publicUrl }: AuthSettings) {
    this.party = relyingPartyOf(publicUrl);
  }

  /** Throws CONFLICT. */
  required(): RelyingParty {
    if (this.party) return this.party;
    const message = 'Passkeys are not available: PUBLIC_URL must be an address with https and a host name.';
    throw new Fault('CONFLICT', null, message);
  }
}
