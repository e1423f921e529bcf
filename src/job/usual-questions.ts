import { type Question } from './job.record.js';

const usual = (
  ref: string,
  refType: string,
  [name, title, placeholder]: [string, Question['title'], Question['placeholder']?],
): Omit<Question, '_id'> => ({
  ...{ name, ref, refType, title, ...(placeholder && { placeholder }) },
  isRequired: ref !== 'phone_number',
});

/** The default questions of an application form (Contract 2.2.5). */
export const usualQuestions: readonly Omit<Question, '_id'>[] = [
  usual('firstname', 'string', [
    'First name',
    { en: 'First name', fr: 'Prénom' },
    { en: 'Your first name', fr: 'Votre prénom' },
  ]),
  usual('lastname', 'string', [
    'Last name',
    { en: 'Last name', fr: 'Nom' },
    { en: 'Your last name', fr: 'Votre nom' },
  ]),
  usual('email', 'email', [
    'E-mail',
    { en: 'E-mail address', fr: 'Adresse e-mail' },
    { en: 'name@mail.example', fr: 'nom@mail.example' },
  ]),
  usual('phone_number', 'phone_number', [
    'Phone number',
    { en: 'Phone number', fr: 'Numéro de téléphone' },
    { en: '+33 6 12 34 56 78', fr: '06 12 34 56 78' },
  ]),
  usual('comment', 'string', [
    'Comment',
    { en: 'Why do you apply?', fr: 'Pourquoi postulez-vous ?' },
    { en: 'A few lines to the recruiter', fr: 'Quelques lignes au recruteur' },
  ]),
  usual('resume', 'url', ['Resume', { en: 'Resume', fr: 'CV' }]),
];
