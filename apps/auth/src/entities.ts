/** The entities of this service, for its data source and for the admin command. */
import { AccountEntity } from './accounts/account.entity.js';
import { AccountTokenEntity } from './accounts/account-token.entity.js';
import { ApiKeyEntity } from './api-keys/api-key.entity.js';
import { DeviceEntity } from './devices/device.entity.js';
import { MailRecipientEntity } from './mail-recipients/mail-recipient.entity.js';
import { MemberEntity } from './members/member.entity.js';
import { OpenIdIdentityEntity } from './openid/openid-identity.entity.js';
import { OrganizationEntity } from './organizations/organization.entity.js';
import { PasskeyEntity } from './passkeys/passkey.entity.js';
import { TotpSecretEntity } from './second-factors/totp-secret.entity.js';
import { SessionEntity } from './sessions/session.entity.js';

export const entities = [
  OrganizationEntity,
  AccountEntity,
  MemberEntity,
  ApiKeyEntity,
  SessionEntity,
  AccountTokenEntity,
  TotpSecretEntity,
  PasskeyEntity,
  DeviceEntity,
  MailRecipientEntity,
  OpenIdIdentityEntity,
];
