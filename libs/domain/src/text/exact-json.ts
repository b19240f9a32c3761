/**
 * JSON with the digits of its integers. A number in JavaScript holds 15 digits exactly, so `JSON.parse` makes one
 * number of 123456789012345678 and 123456789012345679, and two alerts with such ids would be one.
 */

/** The number of digits from which an integer may be rounded. */
const manyDigits = 16;
/** Used only for texts with so many digits in a row, because it is slower. Most digits within strings do not match. */
const longNumber = /(?:^|[\s:,[])-?\d{16}/;
const numbers = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const longInteger = /^-?\d{16,}$/;

/** As `JSON.parse`, but an integer that a number would round is a text with its digits. Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  if (!hasManyDigits(text) || !longNumber.test(text)) return value;
  const exact = withTextsForIntegers(text);
  return exact === text ? value : (JSON.parse(exact) as unknown);
}

/** Whether 16 digits follow each other. One of them is at an index that the loop visits. */
function hasManyDigits(text: string): boolean {
  for (let at = manyDigits - 1; at < text.length; at += manyDigits) {
    if (!isDigit(text, at)) continue;
    let first = at;
    while (isDigit(text, first - 1)) first--;
    let last = at;
    while (isDigit(text, last + 1)) last++;
    if (last - first + 1 >= manyDigits) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 48 && unit <= 57;
}

/** `text` is valid JSON. */
function withTextsForIntegers(text: string): string {
  let exact = '';
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('"', at);
    const between = open < 0 ? text.slice(at) : text.slice(at, open);
    exact += hasManyDigits(between) ? between.replace(numbers, exactNumber) : between;
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
