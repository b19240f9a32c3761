/** The team that a record belongs to. */
import { uuidOf, type FieldFault, type Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { referenceIn, unknownReferences } from '../records/unknown-references.js';

/** The UUID for the column: undefined keeps it, null clears it. An unknown team is a fault of `teamFaults`. */
export const teamUuid = (sent: string | null | undefined): string | null | undefined =>
  sent === undefined || sent === null ? sent : uuidOf('team', sent);

/** A deletion of the team waits until the transaction has ended, and then sees the record that names it. */
export const teamFaults = (tx: Tx, tenant: Tenant, sent: string | null | undefined): Promise<FieldFault[]> =>
  unknownReferences(tx, tenant, referenceIn('team', 'teamId', sent));
