import { changesBetween } from './audit.js';

describe('changes between two records', () => {
  it('are the fields whose values differ', () => {
    const before = { name: 'A', tags: ['x'], note: null };
    expect(changesBetween(before, { name: 'B', tags: ['x'], note: 'n' })).toEqual([
      { field: 'name', before: 'A', after: 'B' },
      { field: 'note', before: null, after: 'n' },
    ]);
  });

  it('ignore the order of fields in an object, but not the order of a list', () => {
    expect(changesBetween({ step: { id: 'a', type: 'b' } }, { step: { type: 'b', id: 'a' } })).toEqual([]);
    expect(changesBetween({ list: ['a', 'b'] }, { list: ['b', 'a'] })).toHaveLength(1);
  });

  it('treat a missing field like null', () => {
    expect(changesBetween({ note: null }, {})).toEqual([]);
    expect(changesBetween({ step: { id: 'a', note: undefined } }, { step: { id: 'a' } })).toEqual([]);
  });

  it('contain hidden fields without their values, and no ignored fields', () => {
    const options = { ignore: ['version'], hidden: ['secret'] };
    expect(changesBetween({ secret: 'a', version: 1 }, { secret: 'b', version: 2 }, options)).toEqual([
      { field: 'secret', before: '[hidden]', after: '[hidden]' },
    ]);
  });

  it('of a new or deleted record are its fields that are not null', () => {
    expect(changesBetween(null, { name: 'A', note: null })).toEqual([{ field: 'name', before: null, after: 'A' }]);
    expect(changesBetween({ name: 'A', note: null }, null)).toEqual([{ field: 'name', before: 'A', after: null }]);
  });
});
