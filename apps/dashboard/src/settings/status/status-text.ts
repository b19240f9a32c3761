/** How readings of the status are written, and what an old answer is worth. */
import type { Data } from '../../api/operation-types.js';
import { texts } from '../../texts/texts.js';

type Status = Data<'getStatus'>;
type Reading = Status['parts'][number]['readings'][number];

/** An answer that is older says nothing about now: the service may have become unreachable since. */
const mostAgeMs = 30_000;

export const shownState = (state: Status['state'], ageMs: number): Status['state'] =>
  ageMs > mostAgeMs ? 'unknown' : state;

export function valueText({ name, value, unit }: Pick<Reading, 'name' | 'value' | 'unit'>): string {
  const said = texts.status;
  if (value === null) return said.noValue;
  if (name === 'ingestGatewaysNotReady' || name === 'notifiersNotReady')
    return value === 0 ? said.ready : said.notReady;
  if (unit === 'ratio') return said.percent(value);
  return unit === 'seconds' ? said.seconds(value) : String(value);
}
