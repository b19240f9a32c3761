// What is printed. Names come from people and error texts from senders: what would steer a terminal is shown as its code.
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const coded = (character) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** One line. */
export const visible = (text) => text.replace(steering, coded);

/** With the codes it parses to the same. */
export const printedJson = (value) => JSON.stringify(value, null, 2).split('\n').map(visible).join('\n');

const width = (text) => [...text].length;

/** Lines with their columns under each other. `columns` is a list of `[title, (row) => text]`. */
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
