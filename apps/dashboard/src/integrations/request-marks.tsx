import type { Item } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';
import { ToneMark, type Tone } from '../ui/tone-mark.js';
import { countsOf } from './request-items.js';

type Request = Item<'listIntegrationRequests'>;

const tones: Record<Request['outcome'], Tone> = {
  accepted: 'good',
  partial: 'waiting',
  rejected: 'bad',
  ignored: 'neutral',
  handshake: 'neutral',
  repeated: 'neutral',
};

export const OutcomeMark = ({ outcome }: { outcome: Request['outcome'] }) => (
  <ToneMark tone={tones[outcome]}>{texts.integrations.requests.outcomes[outcome]}</ToneMark>
);

/** `2 events, 1 refused`, or the note of a request without items. */
export function RequestSummary({ request: { items, note } }: { request: Request }) {
  const said = texts.integrations.requests;
  const { events, ignored, faulty, warnings } = countsOf(items);
  const parts = [
    ...(events > 0 ? [said.events(events)] : []),
    ...(ignored > 0 ? [said.ignored(ignored)] : []),
    ...(faulty > 0 ? [said.faulty(faulty)] : []),
    ...(warnings > 0 ? [said.warnings(warnings)] : []),
  ];
  return <bdi>{parts.length > 0 ? parts.join(', ') : (note ?? '')}</bdi>;
}
