/**
 * Envelope encryption of what a tenant configures: a data key of the tenant seals its secrets, and a master key seals
 * the data key. A sealed secret opens for the same tenant, record and place only, and a secret that is sent to an
 * address for the same address only.
 *
 * The same value at the same place gives the same sealed value: the nonce is a keyed hash of both (as in RFC 5297). So
 * a secret that is sent again is no change of its record.
 */
import type { Tenant } from '@ams/contracts';
import {
  addressName,
  envelopeOf,
  isSealed,
  nameOfAddress,
  sealedAddress,
  sealedText,
  type ReplaceSecret,
  type SecretPlace,
} from '@ams/domain';
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { SealedSecrets } from './sealed-secrets.js';

/** For which record the data key of a tenant is sealed. */
export const recordOfDataKey = ({ organizationId, environment }: Tenant): string =>
  `data key ${organizationId} ${environment}`;

export const newDataKey = (): Buffer => randomBytes(32);

/** A sealed secret that does not open: it was changed, or belongs to another tenant, record, place or address. */
export class SecretNotOpened extends Error {
  override readonly name = 'SecretNotOpened';
}

const nameBytes = 16;

export class TenantSecrets {
  private readonly secrets: SealedSecrets;
  private readonly nameKey: Buffer;

  constructor(
    dataKey: Uint8Array,
    private readonly tenant: Tenant,
  ) {
    this.secrets = new SealedSecrets([Buffer.from(dataKey).toString('base64')]);
    this.nameKey = Buffer.from(hkdfSync('sha256', dataKey, '', 'names of addresses', 32));
  }

  /** Seals what is not sealed yet. `record`: the public id of the record that has the secret. */
  sealing(record: string): ReplaceSecret {
    return (place) => {
      if (isSealed(place.value)) return place.value;
      const name = place.kind === 'address' ? nameOfAddress(place.base, this.nameOf(place.value)) : null;
      const envelope = this.secrets.sealAgain(Buffer.from(place.value), this.placeOf(record, place, name));
      return name === null
        ? sealedText(envelope.toString('base64url'))
        : sealedAddress(name, envelope.toString('base64url'));
    };
  }

  /** Opens what is sealed. Throws SecretNotOpened. */
  opening(record: string): ReplaceSecret {
    return (place) => {
      if (!isSealed(place.value)) return place.value;
      const name = place.kind === 'address' ? addressName(place.value) : null;
      const envelope = Buffer.from(envelopeOf(place.value), 'base64url');
      let opened: Buffer | null;
      try {
        opened = this.secrets.open(envelope, this.placeOf(record, place, name));
      } catch (error) {
        throw new SecretNotOpened('a sealed secret was changed, or belongs to another record', { cause: error });
      }
      if (!opened) throw new SecretNotOpened('a secret was sealed with another data key');
      return opened.toString();
    };
  }

  private nameOf(address: string): string {
    return createHmac('sha256', this.nameKey).update(address).digest().subarray(0, nameBytes).toString('base64url');
  }

  private placeOf(record: string, place: SecretPlace, name: string | null): string {
    const { organizationId, environment } = this.tenant;
    const at = place.kind === 'address' ? ['address', name] : [place.field, place.address];
    return JSON.stringify([organizationId, environment, record, ...at]);
  }
}
