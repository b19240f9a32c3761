// Formats output. Names come from people and error texts from senders: terminal control characters are printed as
// escapes.
const controlCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const escaped = (character) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** One line. */
export const visible = (text) => text.replace(controlCharacters, escaped);

/** With escapes that parse to the same value. */
export const printedJson = (value) => JSON.stringify(value, null, 2).split('\n').map(visible).join('\n');

const width = (text) => [...text].length;

/** Lines with aligned columns. `columns` is a list of `[title, (row) => text]`. */
export function table(rows, columns) {
  const cells = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, text]) => visible(text(row))))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => width(line[i]))));
  return cells.map((line) =>
    line
      .map((cell, i) => cell + ' '.repeat(widths[i] - width(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** Lines of `name  value`. */
export function facts(pairs) {
  const longest = Math.max(...pairs.map(([name]) => width(name)));
  return pairs.map(([name, value]) => `${name.padEnd(longest)}  ${value}`);
}
