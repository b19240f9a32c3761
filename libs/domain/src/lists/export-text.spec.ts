import fc from 'fast-check';
import { csvHeader, csvLines, ndjsonLine } from './export-text.js';

/** The cells of a text in CSV, read as RFC 4180 says. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '\r\n') {
      rows.push(row);
      row = [];
    }
    if (pattern.lastIndex === text.length) return rows;
  }
  throw new Error(`no CSV: ${text}`);
}

const withoutMark = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell);

describe('a line of CSV', () => {
  it.each([
    [{ a: 'disk' }, 'disk'],
    [{ a: null }, ''],
    [{}, ''],
    [{ a: '' }, ''],
    [{ a: 7 }, '7'],
    [{ a: -7 }, '-7'],
    [{ a: false }, 'false'],
    [{ a: 'x,y' }, '"x,y"'],
    [{ a: 'say "no"' }, '"say ""no"""'],
    [{ a: 'two\nlines' }, '"two\nlines"'],
    [{ a: ['x', 'y'] }, '"[""x"",""y""]"'],
    [{ a: { region: 'eu' } }, '"{""region"":""eu""}"'],
    [{ a: '=1+1' }, "'=1+1"],
    [{ a: '=HYPERLINK("http://x","y")' }, '"\'=HYPERLINK(""http://x"",""y"")"'],
    [{ a: '+1' }, "'+1"],
    [{ a: '-1' }, "'-1"],
    [{ a: '@SUM(A1)' }, "'@SUM(A1)"],
    [{ a: '\t=1' }, "'\t=1"],
    [{ a: '\r=1' }, '"\'\r=1"'],
    [{ a: '\n=1' }, '"\'\n=1"'],
    [{ a: '＝1' }, "'＝1"],
    [{ a: "'quoted'" }, "''quoted'"],
    [{ a: '1-1=0' }, '1-1=0'],
  ])('of %j is %s', (record, line) => {
    expect(csvLines(['a'])(record)).toBe(`${line}\r\n`);
  });

  it('has the values inside an object in columns of their own', () => {
    const columns = ['by.type', 'by.name', 'by.via.name', 'by'];
    expect(csvHeader(columns)).toBe('by.type,by.name,by.via.name,by\r\n');
    expect(csvLines(columns)({ by: { type: 'user', name: 'Mira' } })).toBe(
      'user,Mira,,"{""type"":""user"",""name"":""Mira""}"\r\n',
    );
    expect(csvLines(columns)({ by: null })).toBe(',,,\r\n');
    expect(csvLines(['constructor.name'])({})).toBe('\r\n');
  });

  it('gives back every text, and begins no cell as a formula', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[=+\-@\t\r\n',"]{0,4}.{0,3}$/));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (records) => {
        const columns = ['a', 'b'];
        const lineOf = csvLines(columns);
        const lines = records.map(([a, b]) => lineOf({ a, b })).join('');
        const rows = cellsOf(csvHeader(columns) + lines);
        expect(rows.slice(1).map((row) => row.map(withoutMark))).toEqual(records);
        for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
    );
  });
});

it('a line of NDJSON is the record, on one line', () => {
  expect(ndjsonLine({ title: 'two\nlines' })).toBe('{"title":"two\\nlines"}\n');
});
