import { inputTime, snoozeChoices, typedEnd } from './snooze.js';

const at = (text: string): number => Date.parse(text);
const now = at('2026-11-22T19:30:20Z');

describe('a snooze', () => {
  it('ends at whole minutes', () =>
    expect(snoozeChoices(now, 'UTC').map(({ until }) => until)).toEqual([
      '2026-11-22T19:46:00.000Z',
      '2026-11-22T20:01:00.000Z',
      '2026-11-22T20:31:00.000Z',
      '2026-11-22T23:31:00.000Z',
      '2026-11-23T07:31:00.000Z',
      '2026-11-23T09:00:00.000Z',
    ]));

  it('ends tomorrow morning in the zone of the reader, also when clocks change', () => {
    const tomorrow = (text: string) => snoozeChoices(at(text), 'Europe/Berlin').at(-1)?.until;
    expect(tomorrow('2027-03-27T23:30:00Z')).toBe('2027-03-29T07:00:00.000Z');
    expect(tomorrow('2027-03-27T20:00:00Z')).toBe('2027-03-28T07:00:00.000Z');
    expect(tomorrow('2027-10-30T20:00:00Z')).toBe('2027-10-31T08:00:00.000Z');
  });

  it.each([
    ['2026-11-23T09:00', 'UTC', '2026-11-23T09:00:00.000Z'],
    ['2026-11-23T09:00', 'America/New_York', '2026-11-23T14:00:00.000Z'],
    ['2026-11-22T19:30', 'UTC', null],
    ['2026-12-23T09:00', 'UTC', null],
    ['', 'UTC', null],
    ['soon', 'UTC', null],
  ])('%s in %s: %s', (text, zone, end) => expect(typedEnd(text, zone, now)).toBe(end));

  it('shows a time as an input takes it', () => expect(inputTime(now, 'Europe/Berlin')).toBe('2026-11-22T20:30'));
});
