import { describe, expect, it } from '@jest/globals';
import { addFields, buildObjectType } from '../../src/fields/field.graphql.js';
import { kinds } from '../../src/fields/kinds.rules.js';
import { field, inputsOf, type Row, sourcesOf } from '../../src/fields/row.rules.js';
import { recordSchema } from '../../src/history/history.mongoose.js';
import { requested, viewsOf } from '../../src/fields/view.rules.js';
import { keysOf } from '../../src/rest/envelope.js';

interface Dog {
  name: string;
  note: string | null;
  owner: { city: string };
}

const { stored, from } = sourcesOf<{ dog: Dog }, object, 'dog'>('dog');
const mood = { kind: kinds.choice(['glad']), description: '' };
const note = { kind: kinds.freeText(9), description: '' };

const fields = {
  note: field('String', '', { inReads: 'a_note' }, { ...stored('note'), ifNull: 'empty', input: note }),
  name: field('String!', '', 'name', {
    ...stored('name'),
    input: { as: 'called', kind: kinds.text(9), description: '' },
  }),
  at: field('At!', '', 'at', {
    of: { description: '', fields: { city: field('String!', '', 'town', stored('owner.city')) } },
  }),
  secret: field('String', '', null, { ...from({ dog: ['note'] }, ({ dog }) => dog.note), for: 'updateJob' }),
};
const dog: Dog = { name: 'Rex', note: null, owner: { city: 'Lyon' } };

describe('a row', () => {
  it('shows what is asked, from the paths that it needs', () => {
    const select = viewsOf<{ dog: Dog }, object, object>(fields);
    expect(select().show({ dog })).toEqual({ note: null, name: 'Rex', at: { city: 'Lyon' }, secret: null });
    const { paths, show } = select(requested('at.city'));
    expect([paths, show({ dog })]).toEqual([{ dog: new Set(['owner.city']) }, { at: { city: 'Lyon' } }]);
  });

  it('gives the reply of an update no key that only reads have, and no reply a field that needs more rights', () => {
    const keys = (reply: 'update' | 'read') => keysOf(reply, { description: '', fields }).map(({ as }) => as);
    expect([keys('update'), keys('read')]).toEqual([
      ['name', 'at'],
      ['a_note', 'name', 'at'],
    ]);
  });

  it('stores its input at its path; the given names come first', () => {
    const inputs = Object.entries(inputsOf(fields, ['called']));
    expect(inputs.map(([name, { path }]) => [name, path])).toEqual([
      ['called', 'name'],
      ['note', 'note'],
    ]);
  });

  it('ends the start with its name if it is told by half', () => {
    const withName = (row: Row) => () => buildObjectType('Cat', { description: '', fields: { name: row } });
    expect(withName({ type: 'String' })).toThrow('Cat.name must say what REST shows');
    expect(withName({ type: 'String!', rest: null, for: 'updateJob' })).toThrow('Cat.name must');
    expect(withName({ type: 'Owner!', rest: 'name' })).toThrow('Cat.name has the unknown type Owner');
    expect(() => inputsOf(fields, ['nome'])).toThrow('No row has the input nome.');
    expect(() => addFields(class {}, { mood: { ...mood, path: 'mood' } })).toThrow('mood has no enum');
    expect(() => recordSchema('dogs', { age: 1 }, {}, { name: String }, [])).toThrow(
      'age of a record has no path',
    );
  });

  it('does not compile if it is told by half', () => {
    expect([
      // @ts-expect-error the value can be null
      field('String!', '', 'note', stored('note')),
      // @ts-expect-error the value is a text
      field('Int!', '', 'name', stored('name')),
      // @ts-expect-error nothing says what REST shows
      field('String!', '', stored('name')),
      // @ts-expect-error nothing says what REST shows, or where the value comes from
      field('String!', ''),
      // @ts-expect-error no row has such a key
      field('String!', '', 'name', { ...stored('name'), isLng: true }),
      // @ts-expect-error the record has no such path
      field('String!', '', 'age', stored('age')),
      // @ts-expect-error `name` is not among the needed paths
      from({ dog: ['note'] }, ({ dog: { name } }) => typeof name),
    ]).toHaveLength(7);
  });
});
