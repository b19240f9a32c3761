import fc from 'fast-check';
import { syslogFrame, type SyslogLine } from './syslog-message.js';

const lineOf = (entry: object = {}, more: Partial<SyslogLine> = {}): SyslogLine => ({
  organizationId: 'org_1',
  environment: 'live',
  sequence: 7,
  entryId: 'aud_1',
  entryHash: 'a'.repeat(64),
  hash: 'b'.repeat(64),
  entry: { id: 'aud_1', type: 'client.updated', occurredAt: '2026-11-23T12:00:00.000Z', changes: [], ...entry },
  isCut: false,
  ...more,
});

/** The header of RFC 5424 and the JSON of a frame. Throws when the frame does not have its form. */
function parsed(frame: string): { header: string[]; body: Record<string, unknown> } {
  const [, length, message] = /^([1-9]\d*) (.*)$/s.exec(frame) as unknown as [string, string, string];
  expect(Buffer.byteLength(message)).toBe(Number(length));
  expect(message).toMatch(/^[\x20-\x7e]*$/);
  const parts = message.split(' ');
  return { header: parts.slice(0, 7), body: JSON.parse(parts.slice(7).join(' ')) as Record<string, unknown> };
}

it('is a message of RFC 5424 with the entry as JSON', () => {
  const { header, body } = parsed(syslogFrame(lineOf(), 'alerts-1', 8192));
  expect(header).toEqual(['<110>1', '2026-11-23T12:00:00.000Z', 'alerts-1', 'ams', '-', 'client.updated', '-']);
  const { isCut: _isCut, ...line } = lineOf();
  expect(body).toEqual(line);
});

it.each(['api_key.refused', 'member.sign_in_failed', 'passkey.counter_regressed'])('%s is a warning', (type) => {
  expect(parsed(syslogFrame(lineOf({ type }), 'h', 8192)).header[0]).toBe('<108>1');
});

it('an entry that was deleted because of its age has no time', () => {
  const { header, body } = parsed(syslogFrame(lineOf({}, { entry: null }), '', 8192));
  expect(header).toEqual(['<110>1', '-', '-', 'ams', '-', 'audit_entry.expired', '-']);
  expect(body).toMatchObject({ sequence: 7, entry: null });
});

it('a message that is too long loses the values of its changes, then the rest of the entry', () => {
  const changes = [{ field: 'name', before: 'x'.repeat(9000), after: null }];
  expect(parsed(syslogFrame(lineOf({ changes }), 'h', 8192)).body).toMatchObject({
    truncated: true,
    entry: { id: 'aud_1', changes: [{ field: 'name' }] },
  });
  const entry = { id: 'aud_1', type: 'client.updated', occurredAt: '2026-11-23T12:00:00.000Z' };
  const longer = parsed(syslogFrame(lineOf({ changes, userAgent: 'u'.repeat(9000) }), 'h', 8192)).body;
  expect(longer).toMatchObject({ truncated: true, entry });
  expect(longer['entry']).toEqual(entry);
});

it('no text of an entry breaks the header, the line or the length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.nat(50), (type, name, count) => {
      const changes = [{ field: name, before: name.repeat(count), after: null }];
      const frame = syslogFrame(lineOf({ type, actor: { name }, changes }), name, 2048);
      expect(frame.length).toBeLessThanOrEqual(2048 + 5);
      const { header, body } = parsed(frame);
      expect(header).toHaveLength(7);
      expect([body['sequence'], body['hash']]).toEqual([7, 'b'.repeat(64)]);
    }),
    { numRuns: 30 },
  );
});
