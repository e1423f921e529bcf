import { type Types } from 'mongoose';
import { type ReferenceKind, type ReferenceRecord } from '../content/reference-book.js';
import { demoId } from './demo-id.js';

/** Names by public id, in the order in which a form would list them. A narrower job category comes after its parent. */
type Names = Readonly<Record<string, readonly [en: string, fr: string, parent?: string]>>;

const names: Readonly<Record<ReferenceKind, Names>> = {
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
  job_category: {
    administration: ['Administration', 'Administration'],
    assistant: ['Assistant and secretary', 'Assistanat et secrétariat', 'administration'],
    office_management: ['Office management', 'Office management', 'administration'],
    finance: ['Finance', 'Finance'],
    accounting: ['Accounting', 'Comptabilité', 'finance'],
    audit: ['Audit', 'Audit', 'finance'],
    controlling: ['Management control', 'Contrôle de gestion', 'finance'],
    human_resources: ['Human resources', 'Ressources humaines'],
    payroll: ['Payroll', 'Paie', 'human_resources'],
    recruitment: ['Recruitment', 'Recrutement', 'human_resources'],
    information_technology: ['Information technology', 'Informatique'],
    data: ['Data', 'Données', 'information_technology'],
    infrastructure: ['Systems and networks', 'Systèmes et réseaux', 'information_technology'],
    quality_assurance: ['Quality assurance', 'Qualité logicielle', 'information_technology'],
    software_development: ['Software development', 'Développement logiciel', 'information_technology'],
    marketing_and_sales: ['Marketing and sales', 'Marketing et vente'],
    communication: ['Communication', 'Communication', 'marketing_and_sales'],
    digital_marketing: ['Digital marketing', 'Marketing digital', 'marketing_and_sales'],
    field_sales: ['Field sales', 'Vente terrain', 'marketing_and_sales'],
    operations: ['Operations', 'Opérations'],
    facility_security: ['Facility security', 'Sécurité des sites', 'operations'],
    maintenance: ['Maintenance', 'Maintenance', 'operations'],
    warehousing: ['Warehousing', 'Entreposage', 'operations'],
  },
};

/** Finds the reference record that demo records point to. */
export type ReferenceIdOf = (kind: ReferenceKind, publicId: string) => Types.ObjectId;

/** The id of the demo's own reference record. */
export const demoReferenceId: ReferenceIdOf = (kind, publicId) => demoId('references', `${kind}:${publicId}`);

/** Records of every kind; each job category comes after the one that it belongs to. */
export function demoReferences(): ReferenceRecord[] {
  return (Object.entries(names) as [ReferenceKind, Names][]).flatMap(([kind, ofKind]) =>
    Object.entries(ofKind).map(([publicId, [en, fr, parent = null]]) => ({
      _id: demoReferenceId(kind, publicId),
      kind,
      publicId,
      name: { en, fr },
      parent,
    })),
  );
}
