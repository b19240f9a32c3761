/** The result of the mapping of an integration for a payload. */
import type { FieldFault } from '@ams/contracts';
import {
  allAtOnce,
  mapDropIn,
  mapPayloadInParts,
  type DropInBody,
  type DropInRequest,
  type ItemResult,
  type Mapper,
  type MappingWarning,
} from '@ams/domain';
import { evaluationTurns } from '@ams/service';
import type { Sender } from '../integrations/integrations.js';
import { refuseDeepNesting, refusingDeepNesting } from './deep-nesting.js';

export interface MappedPayload {
  /** `json` is taken when the events are stored. */
  events: { json: string; fingerprint: string; warnings: MappingWarning[]; index: number }[];
  ignored: number;
  faults: FieldFault[];
  /** The items that are not events, as JSON for the request log. */
  otherItems: string[];
}

/** `maxEventBytes` is the largest event that can be stored. `handshake`: the payload asks to confirm a subscription. */
export function mapWebhook(
  sender: Sender,
  payload: unknown,
  payloadBytes: number,
  maxEventBytes: number,
): MappedPayload | 'handshake' | Promise<MappedPayload | 'handshake'> {
  const { organizationId, id: record, mapper } = sender;
  return evaluationTurns.run({ organizationId, record }, mappedInParts(mapper, payload, payloadBytes, maxEventBytes));
}

function* mappedInParts(
  mapper: Mapper,
  payload: unknown,
  payloadBytes: number,
  maxEventBytes: number,
): Generator<void, MappedPayload | 'handshake'> {
  const mapped = yield* refusingDeepNesting(mapPayloadInParts(mapper, payload, { explain: 'short' }));
  return mapped.kind === 'handshake' ? 'handshake' : yield* mappedPayloadOf(mapped.items, payloadBytes, maxEventBytes);
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
  return allAtOnce(mappedPayloadOf(items, 0, maxEventBytes));
}

/** Bytes of a message that are kept free for the fields that all events of an integration have in common. */
const commonFieldBytes = 2048;

/**
 * The events of a request may have this many bytes together for each byte of its payload, and `freeBytes` more.
 * Otherwise a mapping that copies a part of the payload into a thousand items makes 22 MB of 44 KB.
 */
const bytesForByte = 8;
const freeBytes = 1024 * 1024;

function* mappedPayloadOf(
  items: readonly ItemResult[],
  payloadBytes: number,
  maxEventBytes: number,
): Generator<void, MappedPayload> {
  const mapped: MappedPayload = { events: [], ignored: 0, faults: [], otherItems: [] };
  const room = maxEventBytes - commonFieldBytes;
  const mostBytes = freeBytes + bytesForByte * payloadBytes;
  let bytes = 0;
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    if (item.kind === 'event') {
      yield;
      const json =
        bytes > mostBytes
          ? ''
          : `${JSON.stringify(item.event).slice(0, -1)},"provenance":${JSON.stringify(item.sources)}}`;
      const size = Buffer.byteLength(json);
      if (size <= room) bytes += size;
      if (size <= room && bytes <= mostBytes) {
        mapped.events.push({ json, fingerprint: item.event.fingerprint, warnings: item.warnings, index });
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
        : [
            {
              path: `[${index}]`,
              rule: 'maxBytes',
              message: bytes > mostBytes ? tooMany : 'the event is too large to be stored',
            },
          ];
    for (const fault of faults) mapped.faults.push(fault);
    mapped.otherItems.push(`{"outcome":"faulty","faults":${JSON.stringify(faults)}}`);
  }
  return mapped;
}

const tooMany =
  'the events of this request are too large together: the mapping copies a large part of the payload into many alerts';

/** Whether the payload has only faults. Items that the mapping ignores, or no items at all, are not faults. */
export const isFaultyOnly = ({ events, ignored, faults }: MappedPayload): boolean =>
  events.length === 0 && ignored === 0 && faults.length > 0;
