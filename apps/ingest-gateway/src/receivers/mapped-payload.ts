/** The result of the mapping of an integration for a payload. */
import type { FieldFault } from '@ams/contracts';
import {
  mapDropIn,
  mapPayload,
  type DropInBody,
  type DropInRequest,
  type ItemResult,
  type MappedEvent,
  type MappingWarning,
} from '@ams/domain';
import type { Sender } from '../integrations/integrations.js';
import { refuseDeepNesting } from './deep-nesting.js';

export interface MappedPayload {
  events: { json: string; event: MappedEvent; warnings: MappingWarning[]; index: number }[];
  ignored: number;
  faults: FieldFault[];
  /** The items that are not events, as JSON for the request log. */
  otherItems: string[];
}

/** `maxEventBytes` is the largest event that can be stored. `handshake`: the payload asks to confirm a subscription. */
export function mapWebhook(sender: Sender, payload: unknown, maxEventBytes: number): MappedPayload | 'handshake' {
  const mapped = refuseDeepNesting(() => mapPayload(sender.mapper, payload, { explain: 'short' }));
  return mapped.kind === 'handshake' ? 'handshake' : mappedPayloadOf(mapped.items, maxEventBytes);
}

/** For requests to a drop-in API. They have no handshakes. */
export function mapImitated(
  sender: Sender,
  request: DropInRequest,
  body: DropInBody,
  maxEventBytes: number,
): MappedPayload {
  const mapper = sender.dropIn(request.api);
  const items = refuseDeepNesting(() => mapDropIn(mapper, request, body, { explain: 'short' }));
  return mappedPayloadOf(items, maxEventBytes);
}

/** Bytes of a message that are kept free for the fields that all events of an integration have in common. */
const commonFieldBytes = 2048;

function mappedPayloadOf(items: readonly ItemResult[], maxEventBytes: number): MappedPayload {
  const mapped: MappedPayload = { events: [], ignored: 0, faults: [], otherItems: [] };
  const room = maxEventBytes - commonFieldBytes;
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    if (item.kind === 'event') {
      const json = `${JSON.stringify(item.event).slice(0, -1)},"provenance":${JSON.stringify(item.sources)}}`;
      if (json.length * 3 <= room || Buffer.byteLength(json) <= room) {
        mapped.events.push({ json, event: item.event, warnings: item.warnings, index });
        continue;
      }
    }
    if (item.kind === 'ignored') {
      mapped.ignored++;
      mapped.otherItems.push(`{"outcome":"ignored","reason":${JSON.stringify(item.reason)}}`);
      continue;
    }
    const faults =
      item.kind === 'faulty'
        ? item.faults
        : [{ path: `[${index}]`, rule: 'maxBytes', message: 'the event is too large to be stored' }];
    for (const fault of faults) mapped.faults.push(fault);
    mapped.otherItems.push(`{"outcome":"faulty","faults":${JSON.stringify(faults)}}`);
  }
  return mapped;
}

/** Whether the payload has only faults. Items that the mapping ignores, or no items at all, are not faults. */
export const isFaultyOnly = ({ events, ignored, faults }: MappedPayload): boolean =>
  events.length === 0 && ignored === 0 && faults.length > 0;
