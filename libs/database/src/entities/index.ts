/** Tables as classes, for what is read and written a record at a time. The hot paths of the pipeline speak SQL. */
import type { Environment, Scope } from '@ams/scopes';
import type { Actor } from '@ams/contracts';
import type { MappingSettings } from '@ams/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ schema: 'auth', name: 'organizations' })
export class OrganizationRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  @Column('text') slug!: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @Column('int') version!: number;
}

@Entity({ schema: 'auth', name: 'members' })
export class MemberRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') name!: string;
  @Column('text') email!: string;
  @Column('text') role!: string;
  @Column('text') status!: string;
  @Column('text') timezone!: string;
  @Column('jsonb', { name: 'contact_methods' }) contactMethods!: unknown[];
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @Column('int') version!: number;
}

@Entity({ schema: 'auth', name: 'api_keys' })
export class ApiKeyRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('text') name!: string;
  @Column('text', { array: true }) scopes!: Scope[];
  @Column('text', { name: 'key_prefix' }) keyPrefix!: string;
  @Column('text', { name: 'key_hash', select: false }) keyHash!: string;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
  @Column('jsonb', { name: 'created_by' }) createdBy!: Actor;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
}

@Entity({ schema: 'resources', name: 'integrations' })
export class IntegrationRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('text') environment!: Environment;
  @Column('text') name!: string;
  @Column('text') type!: string;
  @Column('boolean') enabled!: boolean;
  @Column('uuid', { name: 'client_id', nullable: true }) clientId!: string | null;
  @Column('text', { name: 'token_hash' }) tokenHash!: string;
  @Column('text', { name: 'token_hint' }) tokenHint!: string;
  @Column('text', { name: 'previous_token_hash', nullable: true }) previousTokenHash!: string | null;
  @Column('timestamptz', { name: 'previous_token_expires_at', nullable: true }) previousTokenExpiresAt!: Date | null;
  @Column('jsonb') settings!: Omit<MappingSettings, 'type'>;
  @Column('text', { name: 'dedup_scope' }) dedupScope!: 'integration' | 'organization';
  @Column('int', { name: 'auto_resolve_after_seconds', nullable: true }) autoResolveAfterSeconds!: number | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @Column('timestamptz', { name: 'deleted_at', nullable: true }) deletedAt!: Date | null;
  @Column('int') version!: number;
}

export const entities = [OrganizationRow, MemberRow, ApiKeyRow, IntegrationRow];
