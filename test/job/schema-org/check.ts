import { readFileSync } from 'node:fs';
// @ts-expect-error: the package brings no types
import * as google from '@adobe/structured-data-validator';

interface Named {
  '@id': string;
}
interface Entity extends Named {
  'rdfs:subClassOf'?: Named | Named[];
  'schema:domainIncludes'?: Named[];
  'schema:rangeIncludes'?: Named[];
}

/** The types of a posting and their properties, from schema.org 30.0 (CC BY-SA 3.0). */
const vocabulary = JSON.parse(readFileSync(new URL('vocabulary.json', import.meta.url), 'utf8')) as {
  '@graph': Entity[];
};
const entities = new Map(
  vocabulary['@graph'].map((entity) => [entity['@id'].replace('schema:', ''), entity]),
);
const namesOf = (named: Named | Named[] = []) =>
  [named].flat().map(({ '@id': id }) => id.replace('schema:', ''));

const kindsOf = (type: string): string[] => [
  type,
  ...namesOf(entities.get(type)?.['rdfs:subClassOf']).flatMap(kindsOf),
];

function typesOf(value: unknown): string[] {
  if (typeof value === 'boolean') return ['Boolean'];
  if (typeof value === 'number') return ['Number', 'Integer'];
  if (typeof value === 'object') return kindsOf((value as { '@type': string })['@type']);
  const text = value as string;
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return ['DateTime'];
  return URL.canParse(text) ? ['URL', 'Text', 'ImageObject'] : ['Text'];
}

/** The types, properties and values of a JSON-LD object that schema.org does not define. */
export function faultsOf(given: unknown): string[] {
  const { '@type': type, ...values } = given as Record<string, unknown>;
  const kinds = kindsOf(String(type));
  if (!entities.has(String(type))) return [`no type ${String(type)}`];
  return Object.entries(values).flatMap(([name, value]) => {
    if (name === '@context') return [];
    const property = entities.get(name);
    if (!property || !namesOf(property['schema:domainIncludes']).some((domain) => kinds.includes(domain)))
      return [`${String(type)} has no ${name}`];
    const range = namesOf(property['schema:rangeIncludes']);
    return [value].flat().flatMap((each) => {
      const isTaken = typesOf(each).some((one) => range.includes(one));
      const below = typeof each === 'object' ? faultsOf(each) : [];
      return isTaken ? below : [`${name} does not take ${JSON.stringify(each)}`, ...below];
    });
  });
}

const { default: Validator } = google as {
  default: new (vocabulary: object) => { validate(found: object): Promise<Issue[]> };
};

interface Issue {
  issueMessage: string;
  fieldNames: string[];
}

/** The missing properties that Google requires or recommends. */
export async function googleMisses(posting: object): Promise<string[]> {
  const validator = new Validator(vocabulary);
  const issues = await validator.validate({ jsonld: { JobPosting: [posting] } });
  const [missing, others] = [issues.filter(isMissing), issues.filter((issue) => !isMissing(issue))];
  if (others.length > 0) throw new Error(others.map(({ issueMessage }) => issueMessage).join('\n'));
  return [...new Set(missing.flatMap(({ fieldNames }) => fieldNames))].sort();
}

const isMissing = ({ issueMessage }: Issue) => /missing/i.test(issueMessage);
