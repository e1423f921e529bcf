import { blankJob, type JobDescription, type JobRecord } from '../job/job.model.js';
import { type Location } from '../job/location/location.js';
import { demoId } from './demo-id.js';
import { demoQuestions } from './demo-questions.js';
import { type ReferenceIdOf } from './demo-references.js';

const dayMs = 86_400_000;

/** What a demo job says for itself; the rest is the same for all. */
type OwnWords = Partial<Omit<JobRecord, 'description'>> &
  Pick<JobRecord, 'publicId' | 'company' | 'name'> & { description: Partial<JobDescription> };

// Written out, so that a start with demo data waits for no gazetteer.
const lyon: Location = {
  addressNbr: '12',
  address: 'Rue de la République',
  city: 'Lyon',
  department: 'Rhône',
  region: 'Auvergne-Rhône-Alpes',
  zipCode: '69002',
  countryCode: 'FRA',
};
const paris: Location = {
  addressNbr: null,
  address: null,
  city: 'Paris',
  department: 'Paris',
  region: 'Île-de-France',
  zipCode: '75011',
  countryCode: 'FRA',
};

const aboutAcme =
  '<p>Acme conçoit des logiciels qui aident les transporteurs à livrer à l’heure, avec moins de kilomètres.</p>';
const aboutGlobex = '<p>Globex builds and runs wind farms in eleven countries.</p>';

/** Jobs in every state: drafts, published ones, one a day before its end, and one a day past it, still as published. */
export function demoJobs(now: Date, idOf: ReferenceIdOf): JobRecord[] {
  const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);
  return [
    job({
      publicId: 'acme-backend-engineer',
      company: 'acme',
      name: 'Backend Engineer',
      state: 'published',
      publishedAt: daysAgo(0),
      contract: idOf('contract', 'permanent'),
      jobCategory: idOf('job_category', 'software_development'),
      worktime: idOf('worktime', 'full_time'),
      remote: idOf('remote', 'hybrid'),
      education: idOf('education', 'master'),
      experience: idOf('experience', 'from_3_to_5_years'),
      office: demoId('offices', 'acme:lyon'),
      salary: '48 000 € – 58 000 €',
      localisation: '12 Rue de la République, 69002 Lyon',
      location: lyon,
      description: {
        companyDesc:
          '<p>Acme makes software that helps hauliers deliver on time, over fewer kilometres.</p>' +
          '<p>You join a team of <strong>nine engineers</strong> in Lyon.</p>',
        jobDesc:
          '<p>You build the services that plan 40,000 deliveries a day:</p>' +
          '<ul><li>design and run APIs in TypeScript on Node.js;</li>' +
          '<li>keep the planner’s answers under 200 ms;</li>' +
          '<li>share the on-call rota, one week in nine.</li></ul>',
        profileDesc:
          '<p>You have shipped and operated a backend service, and you write tests before you are asked to.</p>',
        benefitDesc:
          '<ul><li>Two days of remote work a week</li><li>Lunch vouchers</li><li>Company bicycle</li></ul>',
        processDesc:
          '<ol><li>A call of 30 minutes</li><li>A technical exchange</li><li>A visit of the team</li></ol>',
      },
      managerEmails: ['claire.martin@acme.example'],
      recruiterEmails: ['jobs@acme.example'],
      createdBy: 'partner-a',
    }),
    job({
      publicId: 'acme-office-manager',
      company: 'acme',
      name: 'Office manager (F/H)',
      state: 'draft',
      contract: idOf('contract', 'fixed_term'),
      jobCategory: idOf('job_category', 'office_management'),
      worktime: idOf('worktime', 'part_time'),
      remote: idOf('remote', 'on_site'),
      education: idOf('education', 'higher_two_years'),
      experience: idOf('experience', 'from_1_to_2_years'),
      office: demoId('offices', 'acme:paris'),
      salary: '2 100 € brut par mois',
      localisation: '75011 Paris',
      location: paris,
      description: {
        companyDesc: aboutAcme,
        jobDesc:
          '<p>Vous faites vivre notre bureau de Paris : accueil, fournisseurs, événements de l’équipe.</p>',
        profileDesc: '<p>Organisation, sens du service et anglais courant.</p>',
      },
      managerEmails: ['hugo.bernard@acme.example'],
      recruiterEmails: ['recrutement@acme.example'],
    }),
    job({
      publicId: 'acme-data-analyst',
      company: 'acme',
      name: 'Data analyst (F/H)',
      state: 'published',
      publishedAt: daysAgo(89),
      contract: idOf('contract', 'apprenticeship'),
      jobCategory: idOf('job_category', 'data'),
      worktime: idOf('worktime', 'full_time'),
      remote: idOf('remote', 'occasional'),
      education: idOf('education', 'bachelor'),
      experience: idOf('experience', 'none'),
      office: demoId('offices', 'acme:paris'),
      salary: 'Selon la grille légale',
      localisation: '75011 Paris',
      location: paris,
      description: {
        companyDesc: aboutAcme,
        jobDesc:
          '<p>Au sein de l’équipe Données, vous mesurez ce que nos tournées font gagner à nos clients :</p>' +
          '<ul><li>requêtes SQL et tableaux de bord ;</li><li>présentation des résultats chaque mois.</li></ul>',
        profileDesc: '<p>Vous préparez une licence ou un master en statistique ou en informatique.</p>',
        benefitDesc: '<p>Titres-restaurant, mutuelle, prime de transport.</p>',
        processDesc: '<p>Deux entretiens, réponse sous dix jours.</p>',
      },
      applicationMethod: 'external_apply',
      applicationUrl: 'https://careers.acme.example/jobs/data-analyst/apply',
      managerEmails: ['ines.dupont@acme.example', 'claire.martin@acme.example'],
      recruiterEmails: ['recrutement@acme.example'],
      createdBy: 'partner-b',
    }),
    job({
      publicId: 'acme-night-guard',
      company: 'acme',
      name: 'Agent de sécurité de nuit (F/H)',
      state: 'published',
      publishedAt: daysAgo(91),
      contract: idOf('contract', 'temporary'),
      jobCategory: idOf('job_category', 'facility_security'),
      worktime: idOf('worktime', 'full_time'),
      remote: idOf('remote', 'on_site'),
      education: idOf('education', 'vocational'),
      experience: idOf('experience', 'under_1_year'),
      office: demoId('offices', 'acme:lyon'),
      salary: '13,20 € brut de l’heure',
      localisation: '12 Rue de la République, 69002 Lyon',
      location: lyon,
      description: {
        companyDesc: aboutAcme,
        jobDesc: '<p>De 21 h à 6 h, vous veillez sur notre siège et sur ses salles de serveurs.</p>',
        profileDesc: '<p>Carte professionnelle en cours de validité.</p>',
        benefitDesc: '<p>Majoration de nuit, treizième mois.</p>',
      },
      managerEmails: ['securite@acme.example'],
      recruiterEmails: ['recrutement@acme.example'],
    }),
    job({
      publicId: 'globex-accountant',
      company: 'globex',
      name: 'Accountant',
      state: 'draft',
      contract: idOf('contract', 'permanent'),
      jobCategory: idOf('job_category', 'accounting'),
      worktime: idOf('worktime', 'full_time'),
      remote: idOf('remote', 'hybrid'),
      education: idOf('education', 'bachelor'),
      experience: idOf('experience', 'from_6_to_10_years'),
      salary: '€45,000 a year',
      localisation: '75011 Paris',
      location: paris,
      description: {
        companyDesc: aboutGlobex,
        jobDesc: '<p>You close the monthly accounts of our six French sites.</p>',
        profileDesc: '<p>You know IFRS, and you explain it to engineers.</p>',
        processDesc: '<p>One interview on site, one with the finance director.</p>',
      },
      managerEmails: ['finance@globex.example'],
      recruiterEmails: ['people@globex.example'],
    }),
    job({
      publicId: 'initech-tester',
      media: 'other-media',
      company: 'initech',
      name: 'Software Tester',
      state: 'published',
      publishedAt: daysAgo(12),
      contract: idOf('contract', 'freelance'),
      jobCategory: idOf('job_category', 'quality_assurance'),
      worktime: idOf('worktime', 'part_time'),
      remote: idOf('remote', 'full_remote'),
      education: idOf('education', 'no_diploma'),
      experience: idOf('experience', 'from_3_to_5_years'),
      salary: '€420 a day',
      localisation: '69002 Lyon',
      location: { ...lyon, addressNbr: null, address: null },
      description: {
        companyDesc: '<p>Initech keeps the back offices of forty regional banks running.</p>',
        jobDesc: '<p>You find what breaks before the night batch does, and you write down how.</p>',
        profileDesc: '<p>Curious, patient, at ease with SQL and with people.</p>',
        benefitDesc: '<p>Three days a week, from wherever you are.</p>',
        processDesc: '<p>A paid trial day.</p>',
      },
      managerEmails: ['qa@initech.example'],
      recruiterEmails: ['hiring@initech.example'],
    }),
  ];
}

function job(own: OwnWords): JobRecord {
  return {
    ...blankJob,
    _id: demoId('jobs', own.publicId),
    media: 'demo-media',
    questions: demoQuestions(own.publicId),
    createdBy: 'demo',
    ...own,
    description: { ...blankJob.description, ...own.description },
  };
}
