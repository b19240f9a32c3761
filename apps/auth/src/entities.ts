/** The entities of this service, for its data source and for the admin command. */
import { ApiKeyEntity } from './api-keys/api-key.entity.js';
import { MemberEntity } from './members/member.entity.js';
import { OrganizationEntity } from './organizations/organization.entity.js';

export const entities = [OrganizationEntity, MemberEntity, ApiKeyEntity];
