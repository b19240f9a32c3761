import { storableJson } from './audit-entries.js';

it('takes out of JSON what PostgreSQL cannot store, and nothing else', () => {
  const text = 'a\0b \\u0000 \\\\ud800 \ud83d\ude00 \udc00';
  expect(JSON.parse(storableJson({ [text]: text }))).toEqual({
    'a�b \\u0000 \\\\ud800 😀 �': 'a�b \\u0000 \\\\ud800 😀 �',
  });
});
