/** The functions on members that both the API and the commands of the operator use. */
import { type Tx } from '@ams/database';
import { Not } from 'typeorm';
import { MemberEntity } from './member.entity.js';

export const isActiveOwner = ({ role, status }: Pick<MemberEntity, 'role' | 'status'>): boolean =>
  role === 'owner' && status === 'active';

/** The organization must be locked, so that two owners cannot be removed at the same time. */
export const hasAnotherOwner = (tx: Tx, { organizationId, id }: MemberEntity): Promise<boolean> =>
  tx.repository(MemberEntity).existsBy({ organizationId, role: 'owner', status: 'active', id: Not(id) });
