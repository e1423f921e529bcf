import { type Types } from 'mongoose';
import { type ReferenceKind, type ReferenceRecord } from '../reference/reference.model.js';
import { demoId } from './demo-id.js';

/** Names in English and French by public id, in the order in which a form would list them. */
type Names = Readonly<Record<string, readonly [en: string, fr: string]>>;

const names: Readonly<Record<Exclude<ReferenceKind, 'job_category'>, Names>> = {
  contract: {
    permanent: ['Permanent contract', 'CDI'],
    fixed_term: ['Fixed-term contract', 'CDD'],
    temporary: ['Temporary work', 'Intérim'],
    apprenticeship: ['Apprenticeship', 'Alternance'],
    internship: ['Internship', 'Stage'],
    freelance: ['Freelance', 'Freelance'],
    seasonal: ['Seasonal work', 'Emploi saisonnier'],
    volunteering: ['Voluntary service', 'Service civique'],
  },
  worktime: {
    full_time: ['Full time', 'Temps plein'],
    part_time: ['Part time', 'Temps partiel'],
  },
  remote: {
    on_site: ['On site', 'Sur site'],
    occasional: ['Occasional remote work', 'Télétravail ponctuel'],
    hybrid: ['Hybrid', 'Télétravail partiel'],
    full_remote: ['Fully remote', 'Télétravail complet'],
  },
  education: {
    no_diploma: ['No diploma', 'Sans diplôme'],
    vocational: ['Vocational certificate', 'CAP, BEP'],
    secondary: ['Secondary school diploma', 'Bac'],
    higher_two_years: ['Two years of higher education', 'Bac +2'],
    bachelor: ['Bachelor’s degree', 'Bac +3'],
    master: ['Master’s degree', 'Bac +5'],
    doctorate: ['Doctorate', 'Doctorat'],
  },
  experience: {
    none: ['No experience needed', 'Débutant accepté'],
    under_1_year: ['Less than 1 year', 'Moins d’un an'],
    from_1_to_2_years: ['1 to 2 years', '1 à 2 ans'],
    from_3_to_5_years: ['3 to 5 years', '3 à 5 ans'],
    from_6_to_10_years: ['6 to 10 years', '6 à 10 ans'],
    over_10_years: ['More than 10 years', 'Plus de 10 ans'],
  },
  size: {
    from_1_to_9: ['1 to 9 employees', '1 à 9 salariés'],
    from_10_to_49: ['10 to 49 employees', '10 à 49 salariés'],
    from_50_to_249: ['50 to 249 employees', '50 à 249 salariés'],
    from_250_to_999: ['250 to 999 employees', '250 à 999 salariés'],
    from_1000_to_4999: ['1,000 to 4,999 employees', '1 000 à 4 999 salariés'],
    from_5000: ['5,000 employees or more', '5 000 salariés et plus'],
  },
  sector: {
    agriculture: ['Agriculture', 'Agriculture'],
    automotive: ['Automotive', 'Automobile'],
    banking: ['Banking and insurance', 'Banque et assurance'],
    construction: ['Construction', 'Bâtiment et travaux publics'],
    consulting: ['Consulting and audit', 'Conseil et audit'],
    culture: ['Culture and media', 'Culture et médias'],
    education: ['Education and training', 'Enseignement et formation'],
    energy: ['Energy', 'Énergie'],
    environment: ['Environment', 'Environnement'],
    food_industry: ['Food industry', 'Agroalimentaire'],
    health: ['Health', 'Santé'],
    hospitality: ['Hotels and restaurants', 'Hôtellerie et restauration'],
    manufacturing: ['Manufacturing', 'Industrie'],
    public_service: ['Public service', 'Fonction publique'],
    real_estate: ['Real estate', 'Immobilier'],
    retail: ['Retail', 'Commerce et distribution'],
    security: ['Security', 'Sécurité'],
    social_work: ['Social work', 'Action sociale'],
    software: ['Software', 'Logiciel'],
    telecommunications: ['Telecommunications', 'Télécommunications'],
    transport: ['Transport and logistics', 'Transport et logistique'],
  },
};

/** Each wide job category, and the narrower ones that belong to it. */
const jobCategories: Readonly<Record<string, { name: Names[string]; narrower: Names }>> = {
  administration: {
    name: ['Administration', 'Administration'],
    narrower: {
      assistant: ['Assistant and secretary', 'Assistanat et secrétariat'],
      office_management: ['Office management', 'Office management'],
    },
  },
  finance: {
    name: ['Finance', 'Finance'],
    narrower: {
      accounting: ['Accounting', 'Comptabilité'],
      audit: ['Audit', 'Audit'],
      controlling: ['Management control', 'Contrôle de gestion'],
    },
  },
  human_resources: {
    name: ['Human resources', 'Ressources humaines'],
    narrower: {
      payroll: ['Payroll', 'Paie'],
      recruitment: ['Recruitment', 'Recrutement'],
    },
  },
  information_technology: {
    name: ['Information technology', 'Informatique'],
    narrower: {
      data: ['Data', 'Données'],
      infrastructure: ['Systems and networks', 'Systèmes et réseaux'],
      quality_assurance: ['Quality assurance', 'Qualité logicielle'],
      software_development: ['Software development', 'Développement logiciel'],
    },
  },
  marketing_and_sales: {
    name: ['Marketing and sales', 'Marketing et vente'],
    narrower: {
      communication: ['Communication', 'Communication'],
      digital_marketing: ['Digital marketing', 'Marketing digital'],
      field_sales: ['Field sales', 'Vente terrain'],
    },
  },
  operations: {
    name: ['Operations', 'Opérations'],
    narrower: {
      facility_security: ['Facility security', 'Sécurité des sites'],
      maintenance: ['Maintenance', 'Maintenance'],
      warehousing: ['Warehousing', 'Entreposage'],
    },
  },
};

/** Finds the reference record that demo records point to. */
export type ReferenceIdOf = (kind: ReferenceKind, publicId: string) => Types.ObjectId;

/** The id of the demo's own reference record. */
export const demoReferenceId: ReferenceIdOf = (kind, publicId) => demoId('references', `${kind}:${publicId}`);

/** Records of every kind; each job category comes after the one that it belongs to. */
export function demoReferences(): ReferenceRecord[] {
  return [
    ...(Object.keys(names) as (keyof typeof names)[]).flatMap((kind) => records(kind, names[kind], null)),
    ...Object.entries(jobCategories).flatMap(([publicId, { name, narrower }]) => [
      ...records('job_category', { [publicId]: name }, null),
      ...records('job_category', narrower, publicId),
    ]),
  ];
}

function records(kind: ReferenceKind, namesById: Names, parent: string | null): ReferenceRecord[] {
  return Object.entries(namesById).map(([publicId, [en, fr]]) => ({
    _id: demoReferenceId(kind, publicId),
    kind,
    publicId,
    name: { en, fr },
    parent,
  }));
}
