import { describe, expect, it } from '@jest/globals';
import { inputField } from '../../src/fields/field.graphql.js';
import { fieldTypes } from '../../src/fields/field-types.rules.js';
import { field, type InputNames, inputsOf, sourcesOf, type ViewOf } from '../../src/fields/row.rules.js';
import { recordSchema } from '../../src/history/history.mongoose.js';
import { requested, viewsOf } from '../../src/fields/view.rules.js';
import { keysOf } from '../../src/rest/envelope.js';

interface Dog {
  name: string;
  note: string | null;
  owner: { city: string };
}

const { stored, from } = sourcesOf<{ dog: Dog }, object, 'dog'>('dog');
const mood = { type: fieldTypes.choice(['glad']), description: '' };
const note = { type: fieldTypes.freeText(9), description: '' };

const fields = {
  note: field({ inReads: 'a_note' }, { ...stored('note'), ifNull: 'empty', input: note }),
  name: field('name', {
    ...stored('name'),
    input: { as: 'called', type: fieldTypes.text(9), description: '' },
  }),
  at: field('at', { of: { city: field('town', stored('owner.city')) } }),
  secret: field(
    null,
    from({ dog: ['note'] }, ({ dog }) => dog.note),
  ),
};
const dog: Dog = { name: 'Rex', note: null, owner: { city: 'Lyon' } };

describe('a row', () => {
  it('shows what is asked, from the paths that it needs', () => {
    const select = viewsOf<{ dog: Dog }, object, object>(fields);
    expect(select().show({ dog })).toEqual({ note: null, name: 'Rex', at: { city: 'Lyon' }, secret: null });
    const { paths, show } = select(requested('at.city'));
    expect([paths, show({ dog })]).toEqual([{ dog: new Set(['owner.city']) }, { at: { city: 'Lyon' } }]);
  });

  it('gives the reply of an update no key that only reads have, and no reply a field that only GraphQL has', () => {
    const keys = (reply: 'mutation' | 'read') => keysOf(reply, fields).map(({ as }) => as);
    expect([keys('mutation'), keys('read')]).toEqual([
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

  it('that is incomplete ends the start with its name', () => {
    expect(() => inputsOf(fields, ['nome'])).toThrow('No row has the input nome.');
    const table = { mood: { ...mood, path: 'mood' } };
    expect(() => inputField(table)({}, 'moood')).toThrow('No row has the input moood.');
    expect(() => inputField(table)({}, 'mood')).toThrow('The input mood has no type.');
    expect(() => recordSchema('dogs', { age: 1 }, {}, { name: String }, [])).toThrow(
      'age of a record has no path',
    );
  });

  it('that is incomplete does not compile', () => {
    class DogType implements ViewOf<typeof fields> {
      name = '';
      at = { city: '' };
      secret = null;
      // @ts-expect-error the value is a text or null
      note = 1;
    }
    // @ts-expect-error `note` has an input
    class DogInput implements Record<InputNames<typeof fields>, unknown> {
      called = '';
    }
    const dogInput = inputField<InputNames<typeof fields>>(inputsOf(fields, []));
    expect([
      DogType,
      DogInput,
      // @ts-expect-error no row has such an input
      () => dogInput({}, 'name'),
      // @ts-expect-error no row has such a key
      field('name', { ...stored('name'), isLng: true }),
      // @ts-expect-error the record has no such path
      field('age', stored('age')),
      // @ts-expect-error `name` is not among the needed paths
      from({ dog: ['note'] }, ({ dog: { name } }) => typeof name),
    ]).toHaveLength(6);
  });
});
