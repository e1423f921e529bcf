import { Types } from 'mongoose';
import { type Question } from './job.record.js';

const usual = (
  id: string,
  ref: string,
  refType: string,
  [name, title, placeholder]: [string, Question['title'], Question['placeholder']?],
): Question => ({
  ...{
    _id: Types.ObjectId.createFromHexString(id),
    name,
    ref,
    refType,
    title,
    ...(placeholder && { placeholder }),
  },
  isRequired: ref !== 'phone_number',
});

/** The default questions of an application form. Jobs share them, with their ids. */
export const usualQuestions: readonly Question[] = [
  usual('b35a7ee5ac772f36e996a546', 'firstname', 'string', [
    'First name',
    { en: 'First name', fr: 'Prénom' },
    { en: 'Your first name', fr: 'Votre prénom' },
  ]),
  usual('b3846d1b15c65fe39bad1a7c', 'lastname', 'string', [
    'Last name',
    { en: 'Last name', fr: 'Nom' },
    { en: 'Your last name', fr: 'Votre nom' },
  ]),
  usual('84c0243a822a452aa2c0d6c1', 'email', 'email', [
    'E-mail',
    { en: 'E-mail address', fr: 'Adresse e-mail' },
    { en: 'name@mail.example', fr: 'nom@mail.example' },
  ]),
  usual('08b77c36e96cc4284375efe5', 'phone_number', 'phone_number', [
    'Phone number',
    { en: 'Phone number', fr: 'Numéro de téléphone' },
    { en: '+33 6 12 34 56 78', fr: '06 12 34 56 78' },
  ]),
  usual('42cba4bec9142e316fa771c1', 'comment', 'string', [
    'Comment',
    { en: 'Why do you apply?', fr: 'Pourquoi postulez-vous ?' },
    { en: 'A few lines to the recruiter', fr: 'Quelques lignes au recruteur' },
  ]),
  usual('5f9549fcf8b8a8f199c60566', 'resume', 'url', ['Resume', { en: 'Resume', fr: 'CV' }]),
];
