import fc from 'fast-check';
import { packText, unpackText } from './packed-text.js';

test('a packed text becomes the same text again', () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 500 }), async (text) => {
      const bytes = Buffer.byteLength(text);
      expect(await unpackText(await packText(text), Math.max(1, bytes))).toBe(text);
    }),
  ));

test('a payload of many alerts needs a tenth of its bytes', async () => {
  const alert = (n: number) => ({ status: 'firing', labels: { alertname: 'HighCpu', instance: `web-${n}` } });
  const text = JSON.stringify(Array.from({ length: 200 }, (_, n) => alert(n)));
  expect((await packText(text)).length).toBeLessThan(text.length / 10);
});

test('a text with more bytes than allowed, and bytes that are no packed text, are refused', async () => {
  const packed = await packText('x'.repeat(1001));
  await expect(unpackText(packed, 1000)).rejects.toThrow('larger than 1000 bytes');
  await expect(unpackText(Buffer.from('what'), 1000)).rejects.toThrow();
});
