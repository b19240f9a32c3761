import fc from 'fast-check';
import { eventStreamParser, type StreamMessage } from './event-stream.js';

const text = [
  ': heartbeat',
  '',
  'retry: 1500',
  'event: alert.created',
  'id: 7-1',
  'data: {"a":',
  'data: 1}',
  '',
  'id: 7-2',
  'data:x',
  '',
  'event: without data',
  '',
  ': heartbeat',
  'id: 7-3',
  '',
  'event: reset',
  'data: {}',
  '',
  'id: 7-4',
  'data: not complete',
].join('\n');

const expected: StreamMessage[] = [
  { event: 'alert.created', data: '{"a":\n1}' },
  { event: 'message', data: 'x' },
  { event: 'reset', data: '{}' },
];

it('reads events, also when their text comes in pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), fc.boolean(), (cuts, windows) => {
      const parser = eventStreamParser();
      const whole = windows ? text.replaceAll('\n', '\r\n') : text;
      const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const messages = places.slice(1).flatMap((end, i) => parser.push(whole.slice(places[i], end)));
      expect([messages, parser.retryMs, parser.lastId]).toEqual([expected, 1500, '7-3']);
    }),
  );
});
