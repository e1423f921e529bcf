import { isJsonObject } from '../text/read-json.js';

/** An OpenAPI document or a part of it. */
type OpenApiPart = Record<string, unknown>;

/** The gateway must accept every old request, and old clients must understand every new reply. */
type Way = 'request' | 'reply';

/** Lower bounds, which get stricter as they grow, and upper bounds. */
const bounds = { minimum: 1, minLength: 1, minItems: 1, maximum: -1, maxLength: -1, maxItems: -1 };
/** Texts for people, which may change at any time. */
const texts: readonly string[] = ['errorMessage', 'message'];

const partOf = (value: unknown): OpenApiPart => (isJsonObject(value) ? value : {});
const listOf = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
const subpartsOf = (value: unknown): [string, OpenApiPart][] =>
  Object.entries(partOf(value)).map(([key, part]) => [key, partOf(part)]);

/** The parameters of a call or the headers of a reply, as the properties of an object. */
const asObject = (parts: readonly (readonly [name: string, part: OpenApiPart])[]): OpenApiPart => ({
  properties: Object.fromEntries(parts.map(([name, { schema }]) => [name, schema])),
  required: parts.flatMap(([name, { required }]) => (required === true ? [name] : [])),
});

/** Resolves a `$ref`. */
function read(document: OpenApiPart, part: unknown): OpenApiPart {
  const { $ref } = partOf(part);
  if (typeof $ref !== 'string') return partOf(part);
  const steps = $ref.split('/').slice(1);
  const named = steps.reduce<unknown>((at, step) => partOf(at)[step], document);
  return read(document, named);
}

/** Compares parts of two documents, and keeps what breaks a client. */
class Comparison {
  readonly found = new Set<string>();

  constructor(
    private readonly before: OpenApiPart,
    private readonly after: OpenApiPart,
  ) {}

  /** @param separator before the name of a property */
  private compareSchemas(where: string, old: unknown, young: unknown, way: Way, separator = '.'): void {
    const [was, is] = [read(this.before, old), read(this.after, young)];
    // A reply with one kind of error may become a choice of several kinds.
    const { $ref } = partOf(old);
    const among = $ref !== undefined && listOf(is.oneOf).find((each) => partOf(each).$ref === $ref);
    if (among) return this.compareSchemas(where, old, among, way);
    const [narrow, wide] = way === 'request' ? [was, is] : [is, was];
    const lost = (key: 'type' | 'enum' | 'const') =>
      wide[key] !== undefined &&
      (narrow[key] === undefined || listOf(narrow[key]).some((one) => !listOf(wide[key]).includes(one)));
    for (const key of ['type', 'enum', 'const'] as const)
      if (lost(key)) this.found.add(`${where}: another ${key}`);
    for (const [bound, sign] of Object.entries(bounds)) {
      const isWithin = sign * Number(narrow[bound]) >= sign * Number(wide[bound]);
      if (wide[bound] !== undefined && !isWithin) this.found.add(`${where}: another ${bound}`);
    }
    if (way === 'request' && is.pattern !== undefined && is.pattern !== was.pattern)
      this.found.add(`${where}: another pattern`);

    const properties = partOf(is.properties);
    for (const [name, property] of subpartsOf(was.properties)) {
      const at = where + separator + name;
      if (!(name in properties)) this.found.add(`${at}: gone`);
      else if (!texts.includes(name)) this.compareSchemas(at, property, properties[name], way);
    }
    const [needed, offered] = way === 'request' ? [is, was] : [was, is];
    for (const name of listOf(needed.required).filter((one) => !listOf(offered.required).includes(one)))
      if (way === 'request' || String(name) in properties)
        this.found.add(
          `${where}${separator}${String(name)}: ${way === 'request' ? 'newly required' : 'not always there'}`,
        );
    if (isJsonObject(was.items) && isJsonObject(is.items))
      this.compareSchemas(`${where}[]`, was.items, is.items, way);
    for (const key of ['oneOf', 'anyOf']) this.compareChoices(where, listOf(was[key]), listOf(is[key]), way);
  }

  /** A reply may gain or lose a kind of error; a request must keep every choice. */
  private compareChoices(where: string, old: unknown[], young: unknown[], way: Way): void {
    for (const [index, choice] of old.entries()) {
      const { $ref } = partOf(choice);
      const other = $ref === undefined ? young[index] : young.find((each) => partOf(each).$ref === $ref);
      if (other !== undefined) this.compareSchemas(where, choice, other, way);
      else if (way === 'request') this.found.add(`${where}: a choice is gone`);
    }
  }

  private compareContents(where: string, old: unknown, young: unknown, way: Way): void {
    for (const [type, content] of subpartsOf(old)) {
      const other = partOf(young)[type];
      if (!isJsonObject(other)) this.found.add(`${where} ${type}: gone`);
      else this.compareSchemas(where, content.schema, other.schema, way);
    }
  }

  private compareReply(where: string, was: OpenApiPart, is: OpenApiPart): void {
    const headersOf = (document: OpenApiPart, { headers }: OpenApiPart) =>
      asObject(subpartsOf(headers).map(([name, header]) => [name, read(document, header)]));
    this.compareSchemas(where, headersOf(this.before, was), headersOf(this.after, is), 'reply', ' ');
    this.compareContents(where, was.content, is.content, 'reply');
  }

  compareOperations(where: string, was: OpenApiPart, is: OpenApiPart): void {
    const parametersOf = (document: OpenApiPart, operation: OpenApiPart) => {
      const all = listOf(operation.parameters).map((one) => read(document, one));
      return asObject(all.map((one) => [`${String(one.in)} ${String(one.name)}`, one]));
    };
    this.compareSchemas(where, parametersOf(this.before, was), parametersOf(this.after, is), 'request', ' ');
    this.compareContents(where, partOf(was.requestBody).content, partOf(is.requestBody).content, 'request');
    for (const [status, reply] of subpartsOf(was.responses)) {
      const other = partOf(is.responses)[status];
      if (isJsonObject(other)) this.compareReply(`${where} ${status}`, reply, other);
      // An error status that no longer occurs breaks no client.
      else if (Number(status) < 400) this.found.add(`${where} ${status}: gone`);
    }
  }
}

/**
 * The changes that break a client: they remove a part, make a part required, accept less in a request, or allow more in a reply.
 * Understands only the parts of OpenAPI that our documents use.
 */
export function openApiBreaks(before: OpenApiPart, after: OpenApiPart): string[] {
  const comparison = new Comparison(before, after);
  for (const [path, methods] of subpartsOf(before.paths))
    for (const [method, operation] of subpartsOf(methods)) {
      const where = `${method.toUpperCase()} ${path}`;
      const other = partOf(partOf(after.paths)[path])[method];
      if (isJsonObject(other)) comparison.compareOperations(where, operation, other);
      else comparison.found.add(`${where}: gone`);
    }
  return [...comparison.found];
}
