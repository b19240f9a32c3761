/**
 * JSON with the digits of its integers. A number in JavaScript holds 15 digits exactly, so `JSON.parse` makes one number
 * of 123456789012345678 and 123456789012345679, and two alerts with such ids would be one.
 */

const longDigits = /\d{16}/;
/** Asked only where there are long digits, because it is slower. Most digits within strings do not match. */
const longNumber = /(?:^|[\s:,[])-?\d{16}/;
const numbers = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const longInteger = /^-?\d{16,}$/;

/** As `JSON.parse`, but an integer that a number would round is a text with its digits. Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  if (!longDigits.test(text) || !longNumber.test(text)) return value;
  const exact = withTextsForIntegers(text);
  return exact === text ? value : (JSON.parse(exact) as unknown);
}

/** `text` is valid JSON. */
function withTextsForIntegers(text: string): string {
  let exact = '';
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('"', at);
    const between = open < 0 ? text.slice(at) : text.slice(at, open);
    exact += longDigits.test(between) ? between.replace(numbers, exactNumber) : between;
    if (open < 0) break;
    at = endOfString(text, open) + 1;
    exact += text.slice(open, at);
  }
  return exact;
}

const exactNumber = (digits: string): string =>
  longInteger.test(digits) && String(Number(digits)) !== digits ? `"${digits}"` : digits;

/** The offset of the closing quote. */
function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); ; close = text.indexOf('"', close + 1)) {
    let backslashes = 0;
    while (text[close - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return close;
  }
}
