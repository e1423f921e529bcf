import { type Question } from '../job/job.model.js';
import { demoId } from './demo-id.js';

const questions: readonly Omit<Question, '_id'>[] = [
  {
    name: 'First name',
    ref: 'firstname',
    refType: 'string',
    title: { en: 'First name', fr: 'Prénom' },
    placeholder: { en: 'Your first name', fr: 'Votre prénom' },
    isRequired: true,
  },
  {
    name: 'Last name',
    ref: 'lastname',
    refType: 'string',
    title: { en: 'Last name', fr: 'Nom' },
    placeholder: { en: 'Your last name', fr: 'Votre nom' },
    isRequired: true,
  },
  {
    name: 'E-mail',
    ref: 'email',
    refType: 'email',
    title: { en: 'E-mail address', fr: 'Adresse e-mail' },
    placeholder: { en: 'name@mail.example', fr: 'nom@mail.example' },
    isRequired: true,
  },
  {
    name: 'Phone number',
    ref: 'phone_number',
    refType: 'phone_number',
    title: { en: 'Phone number', fr: 'Numéro de téléphone' },
    placeholder: { en: '+33 6 12 34 56 78', fr: '06 12 34 56 78' },
    isRequired: false,
  },
  {
    name: 'Comment',
    ref: 'comment',
    refType: 'string',
    title: { en: 'Why do you apply?', fr: 'Pourquoi postulez-vous ?' },
    placeholder: { en: 'A few lines to the recruiter', fr: 'Quelques lignes au recruteur' },
    isRequired: true,
  },
  {
    name: 'Resume',
    ref: 'resume',
    refType: 'url',
    title: { en: 'Resume', fr: 'CV' },
    isRequired: true,
  },
];

/** The application form of a demo job: six questions, of which only the phone number is optional. */
export const demoQuestions = (jobPublicId: string): Question[] =>
  questions.map((question) => ({ _id: demoId('questions', `${jobPublicId}:${question.ref}`), ...question }));
