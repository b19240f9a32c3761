import { type DeviceEnd } from '@ams/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MemberEntity } from '../members/member.entity.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';

/** A browser to which pages of a member are pushed. */
@Entity({ schema: 'auth', name: 'push_devices' })
@Index('push_devices_member', ['memberId', 'createdAt', 'id'])
@Index('push_devices_endpoint', ['endpointHash', 'memberId'], { unique: true, where: '(ended_at IS NULL)' })
@Check('push_devices_end_reason_check', `end_reason IN ('gone', 'replaced')`)
@Check(
  'push_devices_ended_check',
  '(subscription IS NULL) = (ended_at IS NOT NULL) AND (ended_at IS NULL) = (end_reason IS NULL)',
)
export class DeviceEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'push_devices_pkey' }) id!: string;

  @Column('uuid', { name: 'organization_id' })
  @ForeignKey(() => OrganizationEntity, { name: 'push_devices_organization_id_fkey' })
  organizationId!: string;

  @Column('uuid', { name: 'member_id' })
  @ForeignKey(() => MemberEntity, { name: 'push_devices_member_id_fkey' })
  memberId!: string;

  @Column('text') name!: string;
  /** The host of the push service. */
  @Column('text') service!: string;
  @Column('bytea', { name: 'endpoint_hash' }) endpointHash!: Buffer;
  /** Sealed (see `SealedSecrets`). Null: the device has ended. */
  @Column('bytea', { nullable: true }) subscription!: Buffer | null;
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 }) createdAt!: Date;
  @Column({ type: 'timestamptz', name: 'ended_at', precision: 3, nullable: true }) endedAt!: Date | null;
  @Column('text', { name: 'end_reason', nullable: true }) endReason!: DeviceEnd | null;
}
