import { payloadOf, rowsOfPreview } from './preview-rows.js';

it('has a row for each field that has a value, with its origin', () => {
  const event = { title: 'High CPU', severity: 'critical', source: null, labels: { host: 'web-01' }, annotations: {} };
  const provenance = {
    title: { from: 'mapping', entry: 0, path: 'check.name' },
    severity: { from: 'standard', path: 'severity', raw: 'P1', via: 'knownWords' },
  };
  expect(rowsOfPreview(event, provenance)).toEqual([
    { field: 'title', value: 'High CPU', origin: { from: 'mapping', entry: 0, path: 'check.name' } },
    { field: 'severity', value: 'critical', origin: provenance.severity },
    { field: 'labels.host', value: 'web-01', origin: null },
  ]);
});

it('has no rows without an event', () => {
  expect(rowsOfPreview(null, null)).toEqual([]);
});

it.each([
  ['{"a":1}', 'application/json', { a: 1 }],
  ['{"a":1}', null, { a: 1 }],
  ['a=1&b=x%20y', 'application/x-www-form-urlencoded; charset=utf-8', { a: '1', b: 'x y' }],
  ['a=1', 'text/plain', undefined],
])('reads %s as %s', (text, contentType, expected) => {
  expect(payloadOf(text, contentType)).toEqual(expected);
});
