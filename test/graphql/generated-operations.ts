import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  getOperationAST,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { boundsRule } from '../../src/graphql/bounds/bounds.rule.js';
import { measureOperation } from '../../src/graphql/bounds/measure-document.js';
import { parseSettings } from '../../src/settings/settings.js';
import { isRecordList } from '../support/everything.js';
import { buildSchema } from '../../src/graphql/schema.js';

/** A query that the schema accepts, and values for its variables, some of the wrong type. */
interface GeneratedOperation {
  query: string;
  variables: Record<string, unknown>;
}

const schema = buildSchema();
const settings = parseSettings({});
const rules = [...specifiedRules, boundsRule(settings)];
/** Properties that every JavaScript object inherits, and other names that could trip code up. */
const oddNames = 'constructor toString valueOf __proto__ hasOwnProperty then length prototype _ a_b'.split(
  ' ',
);
const texts: Record<string, unknown[]> = {
  mediaPublicId: ['demo-media', 'demo-media', 'demo-media', 'none', ''],
  publicId: ['acme-backend-engineer', 'acme-night-guard', 'acme', 'none'],
  companyPublicId: ['acme', 'globex', 'none'],
  first: [1, 2, 5, 20, 0, 101, -1],
  after: ['', 'YWNtZQ', '!'],
  name: ['e', 'é', ''],
  expiringBefore: ['2100-01-01T00:00:00.000Z', 'soon'],
};
/** Fields of quotas, which differ in every reply: each call spends a unit. */
const countedFields = ['remaining', 'resetSeconds'];

/** @param seed the same seed gives the same operations */
export function generatedOperations(count: number, seed: number): GeneratedOperation[] {
  const found: GeneratedOperation[] = [];
  const [numbers] = fc.sample(fc.infiniteStream(fc.nat()), { seed, numRuns: 1 });
  if (!numbers) throw new Error('no numbers to choose by');
  const roll = (sides: number): number => (numbers.next().value as number) % sides;
  while (found.length < count) {
    const operation = new Writer(roll).operation();
    const document = parse(operation.query);
    const given = { document, operation: getOperationAST(document) ?? undefined, ...operation };
    // Skip invalid documents: two fields can get the same response name.
    if (
      validate(schema, document, rules).length === 0 &&
      measureOperation(given, schema, () => 0).complexity <= settings.graphqlMaxComplexity &&
      !found.some(({ query }) => query === operation.query)
    )
      found.push(operation);
  }
  return found;
}

class Writer {
  /** Without a prototype, so that `__proto__` is an ordinary name. */
  private readonly variables = Object.create(null) as Record<string, unknown>;
  private readonly definitions: string[] = [];
  private readonly fragments: string[] = [];
  private readonly names: string[];
  private aliases = 0;

  constructor(private readonly roll: (sides: number) => number) {
    this.names = oddNames.filter(() => this.isOneIn(3));
  }

  operation(): GeneratedOperation {
    const selections = this.selections(schema.getQueryType() as GraphQLNamedType, 0);
    const head = this.definitions.length > 0 ? `query Q(${this.definitions.join(', ')})` : 'query Q';
    return { query: [`${head} ${selections}`, ...this.fragments].join(' '), variables: this.variables };
  }

  private readonly isOneIn = (count: number): boolean => this.roll(count) === 0;

  private pick<T>(choices: readonly T[]): T {
    return choices[this.roll(choices.length)] as T;
  }

  private selections(type: GraphQLNamedType, depth: number): string {
    if (isInterfaceType(type)) {
      const kinds = schema
        .getPossibleTypes(type)
        .map((kind) => `... on ${kind.name} ${this.selections(kind, depth)}`);
      return `{ id ${kinds.join(' ')} }`;
    }
    if (!isObjectType(type)) return '';
    // Lists within records lead on without end, and validating a large document takes long.
    const fields = Object.values(type.getFields()).filter(
      (field) =>
        !countedFields.includes(field.name) &&
        (depth < 6 || !isObjectType(getNamedType(field.type))) &&
        (depth < 3 || !isRecordList(field)),
    );
    const isOfList = fields.some(({ name }) => name === 'edges' || name === 'node');
    const chosen = Array.from({ length: 1 + this.roll(depth === 0 ? 2 : 4) }, () => this.pick(fields));
    // Prefer lists: most fields are in their records.
    if (isOfList) chosen.push(...fields.filter(({ name }) => name === 'edges' || name === 'node'));
    const written = [...new Set(chosen)].map((field) => this.field(field, depth));
    if (this.isOneIn(6)) written.push(`__typename${this.directive()}`);
    if (this.isOneIn(5)) written.push(`...${this.directive()} { __typename }`);
    return `{ ${written.map((text) => this.inFragment(text, type.name)).join(' ')} }`;
  }

  private inFragment(text: string, type: string): string {
    if (!this.isOneIn(6)) return text;
    if (this.isOneIn(2)) return `... on ${type}${this.directive()} { ${text} }`;
    const name = `F${this.fragments.length}`;
    this.fragments.push(`fragment ${name} on ${type} { ${text} }`);
    return `...${name}${this.directive()}`;
  }

  private field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const given = field.args
      .filter((argument) => isNonNullType(argument.type) || this.isOneIn(3))
      .map((argument) => `${argument.name}: ${this.value(argument)}`);
    const below = getNamedType(field.type);
    const alias = this.isOneIn(4) && this.aliases < 12 ? `${this.nextName('a')}: ` : '';
    if (alias !== '') this.aliases += 1;
    return [
      `${alias}${field.name}`,
      given.length > 0 ? `(${given.join(', ')})` : '',
      this.directive(),
      isObjectType(below) || isInterfaceType(below) ? ` ${this.selections(below, depth + 1)}` : '',
    ].join('');
  }

  /** An odd name while any is left, then a generated unique one. */
  private readonly nextName = (prefix: string): string =>
    this.names.pop() ?? `${prefix}${this.aliases}_${this.definitions.length}`;

  private directive(): string {
    if (!this.isOneIn(8)) return '';
    const condition = this.isOneIn(2)
      ? this.pick(['true', 'false'])
      : this.variable('Boolean', [true, false], { isRequired: true });
    return ` @${this.pick(['skip', 'include'])}(if: ${condition})`;
  }

  private value({ name, type }: Pick<GraphQLArgument, 'name' | 'type'>): string {
    const named = getNamedType(type);
    if (isInputObjectType(named)) {
      const fields = Object.values(named.getFields()).filter(() => this.isOneIn(3));
      return `{ ${fields.map((field) => `${field.name}: ${this.value(field)}`).join(', ')} }`;
    }
    const whole = getNullableType(type);
    if (isListType(whole)) {
      const one = { name: name.replace(/s$/, ''), type: whole.ofType };
      return `[${Array.from({ length: this.roll(3) }, () => this.value(one)).join(', ')}]`;
    }
    const values = isEnumType(named) ? named.getValues().map((each) => each.name) : (texts[name] ?? ['x']);
    if (this.isOneIn(2))
      return this.variable(named.name, values, {
        isRequired: isNonNullType(type),
        print: isEnumType(named) ? String : JSON.stringify,
      });
    const value = this.pick(values);
    if (!isNonNullType(type) && this.isOneIn(6)) return 'null';
    return isEnumType(getNullableType(type)) ? String(value) : JSON.stringify(value);
  }

  /** A variable, with or without a default, that is sent, left out, null or of another type. */
  private variable(
    type: string,
    values: readonly unknown[],
    { isRequired, print = JSON.stringify }: { isRequired: boolean; print?: (value: unknown) => string },
  ): string {
    const name = this.nextName('v');
    const hasDefault = this.isOneIn(2);
    const isNonNull = isRequired ? !hasDefault || this.isOneIn(2) : this.isOneIn(3);
    const initial = hasDefault ? ` = ${print(this.pick(values))}` : '';
    this.definitions.push(`$${name}: ${type}${isNonNull ? '!' : ''}${initial}`);
    const sent = this.roll(10);
    // A variable that is left out has no entry.
    if (sent === 0) this.variables[name] = null;
    else if (sent === 1) this.variables[name] = { not: 'fit' };
    else if (sent < 7 || (isNonNull && !hasDefault && sent < 9)) this.variables[name] = this.pick(values);
    return `$${name}`;
  }
}
