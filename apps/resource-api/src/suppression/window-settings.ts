/** The settings of a window that a caller sends, and their faults. */
import type { FieldFault, PutSuppressionWindow, Tenant, WindowScope } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { existingIds } from '../records/named-records.js';
import type { WindowSettings } from './window-record.js';

const utc = (instant: string): string => new Date(instant).toISOString();

/** With times in the form of the record. */
export const inUtc = <Body extends PutSuppressionWindow>(body: Body): Body => ({
  ...body,
  ...(body.startsAt === undefined ? {} : { startsAt: utc(body.startsAt) }),
  ...(body.endsAt ? { endsAt: utc(body.endsAt) } : {}),
});

/** The audit log of a change has the matchers twice, in one message of NATS. */
const maxMatcherBytes = 256 * 1024;

export const sizeFaults = ({ matchers }: Pick<WindowSettings, 'matchers'>): FieldFault[] =>
  Buffer.byteLength(JSON.stringify(matchers)) > maxMatcherBytes
    ? [{ path: 'matchers', rule: 'maxBytes', message: `matchers must have at most ${maxMatcherBytes} bytes together` }]
    : [];

/** In the order in which they are locked. */
const named = [
  { field: 'integrationIds', kind: 'integration' },
  { field: 'clientIds', kind: 'client' },
] as const;

/** A fault for each id without a client or integration of the tenant. */
export async function unknownIds(
  tx: Tx,
  tenant: Tenant,
  scope: WindowScope,
  options: { locked: boolean },
): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  for (const { field, kind } of named) {
    const ids = scope[field] ?? [];
    const existing = await existingIds(tx, tenant, kind, ids, options);
    ids.forEach((id, index) => {
      if (existing.has(id)) return;
      faults.push({ path: `${field}[${index}]`, rule: 'exists', message: `there is no ${kind} with the id ${id}` });
    });
  }
  return faults;
}
