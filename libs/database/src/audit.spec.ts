import { changesBetween } from './audit.js';

describe('changes between two records', () => {
  it('are the fields whose values differ', () => {
    const before = { name: 'A', tags: ['x'], note: null };
    expect(changesBetween(before, { name: 'B', tags: ['x'], note: 'n' })).toEqual([
      { field: 'name', before: 'A', after: 'B' },
      { field: 'note', before: null, after: 'n' },
    ]);
  });

  it('do not count the order of the fields of an object, and count the order of a list', () => {
    expect(changesBetween({ step: { id: 'a', type: 'b' } }, { step: { type: 'b', id: 'a' } })).toEqual([]);
    expect(changesBetween({ list: ['a', 'b'] }, { list: ['b', 'a'] })).toHaveLength(1);
  });

  it('do not tell null from a field that is missing', () => {
    expect(changesBetween({ note: null }, {})).toEqual([]);
    expect(changesBetween({ step: { id: 'a', note: undefined } }, { step: { id: 'a' } })).toEqual([]);
  });

  it('name hidden fields without their values, and leave ignored ones out', () => {
    const options = { ignore: ['version'], hidden: ['secret'] };
    expect(changesBetween({ secret: 'a', version: 1 }, { secret: 'b', version: 2 }, options)).toEqual([
      { field: 'secret', before: '[hidden]', after: '[hidden]' },
    ]);
  });

  it('of a new or a deleted record are its fields that are not null', () => {
    expect(changesBetween(null, { name: 'A', note: null })).toEqual([{ field: 'name', before: null, after: 'A' }]);
    expect(changesBetween({ name: 'A', note: null }, null)).toEqual([{ field: 'name', before: 'A', after: null }]);
  });
});
