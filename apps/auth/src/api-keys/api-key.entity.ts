import { type Actor } from '@ams/contracts';
import { type Environment, type Scope } from '@ams/scopes';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** An API key. The key itself is not stored, only its hash and its first characters, by which people recognize it. */
@Entity({ schema: 'auth', name: 'api_keys' })
@Unique('api_keys_key_hash_key', ['keyHash'])
@Check('api_keys_scopes_check', 'cardinality(scopes) > 0')
@Check(
  'api_keys_restriction_check',
  '(client_ids IS NULL) = (team_ids IS NULL) AND cardinality(client_ids) + cardinality(team_ids) > 0',
)
@Index('api_keys_list', { synchronize: false }) // descending
@Index('api_keys_created_by', { synchronize: false }) // over an expression
export class ApiKeyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' }) id!: string;

  @Column('uuid', { name: 'organization_id' })
  @ForeignKey(() => OrganizationEntity, { name: 'api_keys_organization_id_fkey' })
  organizationId!: string;

  @Column('text') environment!: Environment;
  @Column('text') name!: string;
  @Column('text', { array: true }) scopes!: Scope[];
  /** What the key is restricted to: both null for a key that sees the whole environment. */
  @Column('uuid', { name: 'client_ids', array: true, nullable: true }) clientIds!: string[] | null;
  @Column('uuid', { name: 'team_ids', array: true, nullable: true }) teamIds!: string[] | null;
  @Column('text', { name: 'key_prefix' }) keyPrefix!: string;

  /** Written and looked up, never read. */
  @Column('text', { name: 'key_hash', select: false }) keyHash!: string;
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true }) expiresAt!: Date | null;
  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true }) lastUsedAt!: Date | null;
  @Column('jsonb', { name: 'created_by' }) createdBy!: Actor;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true }) revokedAt!: Date | null;
}
