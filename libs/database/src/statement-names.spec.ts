import { StatementNames } from './statement-names.js';

/** The names of a text at its first uses. */
const namesAt = (text: string, names = new StatementNames()) => [1, 2, 3, 4].map(() => names.nameOf(text));

test('a text has a name from its third use on, always the same one', () => {
  const [first, second, third, fourth] = namesAt('SELECT a FROM t WHERE b = $1');
  expect([first, second]).toEqual([undefined, undefined]);
  expect(third).toBe('repeated 1.1');
  expect(fourth).toBe(third);
});

test('two texts never have the same name, also not after all names were forgotten', () => {
  const names = new StatementNames();
  const before = [namesAt('SELECT 1', names)[3], namesAt('SELECT 2', names)[3]];
  names.forgetAll();
  const after = [namesAt('SELECT 2', names)[3], namesAt('SELECT 1', names)[3]];
  expect(new Set([...before, ...after]).size).toBe(4);
  expect([...before, ...after]).not.toContain(undefined);
});

test.each([
  'SELECT * FROM t WHERE a = $1',
  'INSERT INTO t (a) VALUES ($1) RETURNING *',
  'SELECT t.* FROM t',
  'SET LOCAL app.x = 1',
  'LOCK TABLE t',
  'ALTER TABLE t ADD COLUMN b int',
])('%s never has a name', (text) => expect(namesAt(text)).toEqual([undefined, undefined, undefined, undefined]));

test.each([
  'SELECT count(*) FROM t',
  '\n  WITH a AS (SELECT 1) SELECT x FROM a',
  'INSERT INTO t (a) VALUES ($1) RETURNING a',
  'UPDATE t SET a = $1',
  'DELETE FROM t WHERE a = $1',
])('%s has a name', (text) => expect(namesAt(text)[3]).toBeDefined());

test('texts that are built for one request take no names from others, and names are limited', () => {
  const names = new StatementNames();
  for (let n = 0; n < 5000; n++) names.nameOf(`SELECT ${n}`);
  expect(namesAt('SELECT a FROM t', names)[3]).toBe('repeated 1.1');
  for (let n = 0; n < 1000; n++) namesAt(`SELECT ${n}, b`, names);
  expect(namesAt('SELECT c FROM t', names)).toEqual([undefined, undefined, undefined, undefined]);
  expect(namesAt('SELECT a FROM t', names)[0]).toBe('repeated 1.1');
});
