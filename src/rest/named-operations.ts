import { astFromValue, type GraphQLSchema, print } from 'graphql';
import { operationFile } from './run-operation.js';
import { type DocumentedField, documentedFields, type Operation, operations } from '../operations.js';
import { type AnyDocumented, askedAlone, capitalised, rootField, shownFields } from './documented.js';
import { documentedReference, documentedTypes, recordOf } from './envelope.js';

/** Everything of a record, or of an object in it, that needs no more authority than the rest. References share one fragment. */
const recordFields = (documented: AnyDocumented): string => {
  if (documented === documentedReference) return '{ ...ReferenceFields }';
  const asked = Object.entries(documented).flatMap(([field, shown]) => {
    if (shown === askedAlone) return [];
    return shown.fields ? `${field} ${recordFields(shown.fields)}` : field;
  });
  return `{ ${asked.join(' ')} }`;
};

/** Of a reference, what the documented reply shows. */
const referenceFields = shownFields(documentedReference).map(({ field }) => field);

/** The rest of a record, which may be seen by whoever may update it (Contract 5.8). */
const updatersFields = (documented: AnyDocumented): string =>
  Object.keys(documented)
    .filter((field) => documented[field] === askedAlone)
    .join(' ');

const fragments = {
  Company: `fragment CompanyFields on Company ${recordFields(documentedTypes.Company)}`,
  Job: `fragment JobFields on Job ${recordFields(documentedTypes.Job)}

fragment ReferenceFields on Reference { ${referenceFields.join(' ')} }`,
};

/**
 * The named operations on one whole record, by file: the schema says what they take, and the tables of documented fields what they
 * ask for. An update asks for all that reads do. If a field were left out, a cache would show its old value beside the new version,
 * and a save guarded by that version would put it back.
 */
export function namedOperations(schema: GraphQLSchema): Readonly<Record<string, string>> {
  const operationOn = (field: DocumentedField, type: keyof typeof fragments): string => {
    const definition = rootField(schema, field);
    const { kind }: Operation = operations[field];
    const args = [...definition.args].sort((one, other) => one.name.localeCompare(other.name));
    const taken = args.map(({ name, type: argument, defaultValue }) => {
      const standard = astFromValue(defaultValue, argument);
      return `$${name}: ${argument.toString()}${standard ? ` = ${print(standard)}` : ''}`;
    });
    const record = `...${type}Fields`;
    const answer =
      kind === 'query'
        ? record
        : `${type.toLowerCase()} { ${record} ${updatersFields(documentedTypes[type])} } warnings { code field message }`;
    return `
${kind} ${capitalised(field)}(${taken.join(', ')}) {
  ${field}(${args.map(({ name }) => `${name}: $${name}`).join(', ')}) { ${answer} }
}

${fragments[type]}`;
  };
  return Object.fromEntries(
    documentedFields.flatMap((field) => {
      const type = recordOf(rootField(schema, field));
      return type === 'Reference' ? [] : [[operationFile(field), operationOn(field, type)]];
    }),
  );
}
