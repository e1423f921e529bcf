import { Types } from 'mongoose';
import { nameKey } from '../../../src/text/name-key.rules.js';
import { type Models } from '../../../src/models.js';

const jobCount = 20_000;
const longCount = 100;

/** Most jobs are archived ones of one company. The longest come first in each order. */
export async function insertSkewedJobs({ jobs: model }: Models): Promise<void> {
  const text = `<p>${'Écrire à ann@mail.example. '.repeat(1_000).slice(0, 19_990)}</p>`;
  const long = Object.fromEntries(
    ['companyDesc', 'jobDesc', 'profileDesc', 'benefitDesc', 'processDesc'].map((name) => [name, text]),
  );
  const question = {
    ...{ name: 'n', ref: 'r', refType: 'string', isRequired: false },
    ...{ title: { en: 't', fr: 't' }, placeholder: { en: 'p', fr: 'p' } },
  };
  const questions = () => Array.from({ length: 100 }, () => ({ ...question, _id: new Types.ObjectId() }));
  const job = await model.collection.findOne({ publicId: 'acme-backend-engineer' });
  const changedMs = Date.now();
  const jobAt = (index: number) => {
    const name = index === jobCount - 1 ? 'Astronome' : 'Comptable';
    const kind = index < longCount ? 'a-text' : index < 2 * longCount ? 'questions' : 'job';
    return {
      ...job,
      _id: new Types.ObjectId(),
      publicId: `${kind}-${index % (kind === 'job' ? jobCount : longCount)}`,
      ...{ name, nameKey: nameKey(name) },
      ...(index % 1_000 !== 500 && { state: 'archived' }),
      ...(kind === 'a-text' && { description: long }),
      ...(kind === 'questions' && { questions: questions() }),
      changedAt: new Date(changedMs + (kind === 'questions' ? 0 : -1_000 - index)),
    };
  };
  for (let from = 0; from < jobCount; from += 1_000)
    await model.collection.insertMany(Array.from({ length: 1_000 }, (_, index) => jobAt(from + index)));
}
