import { isJsonObject } from '../text/read-json.js';

/** An OpenAPI document or a part of it. */
type Part = Record<string, unknown>;

/** The gateway must accept every old request, and old clients must understand every new reply. */
type Way = 'request' | 'reply';

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const lowerBounds = ['minimum', 'minLength', 'minItems'];
const upperBounds = ['maximum', 'maxLength', 'maxItems'];
/** Texts for people, which may change at any time. */
const texts: readonly string[] = ['errorMessage', 'message'];

const partOf = (value: unknown): Part => (isJsonObject(value) ? value : {});
const listOf = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
const subpartsOf = (value: unknown): [string, Part][] =>
  Object.entries(partOf(value)).map(([key, part]) => [key, partOf(part)]);

/**
 * The changes that break a client: they remove a part, make a part required, accept less in a request, or allow more in a reply.
 * Understands only the parts of OpenAPI that our documents use.
 */
export function openApiBreaks(before: Part, after: Part): string[] {
  const found: string[] = [];

  /** Resolves a `$ref`. */
  const read = (document: Part, part: unknown): Part => {
    const { $ref } = partOf(part);
    if (typeof $ref !== 'string') return partOf(part);
    const steps = $ref.replace('#/', '').split('/');
    return read(
      document,
      steps.reduce<unknown>((at, step) => partOf(at)[step], document),
    );
  };

  function compareSchemas(where: string, old: unknown, young: unknown, way: Way): void {
    const [was, is] = [read(before, old), read(after, young)];
    // A reply with one kind of error may become a choice of several kinds.
    const { $ref } = partOf(old);
    const among = $ref !== undefined && listOf(is.oneOf).find((each) => partOf(each).$ref === $ref);
    if (among) return compareSchemas(where, old, among, way);
    const [narrow, wide] = way === 'request' ? [was, is] : [is, was];
    const lost = (key: 'type' | 'enum' | 'const') =>
      wide[key] !== undefined &&
      (narrow[key] === undefined || listOf(narrow[key]).some((one) => !listOf(wide[key]).includes(one)));
    for (const key of ['type', 'enum', 'const'] as const)
      if (lost(key)) found.push(`${where}: another ${key}`);
    const isBeyond = (bound: string, isWorse: (one: number, other: number) => boolean) =>
      typeof wide[bound] === 'number' &&
      (typeof narrow[bound] !== 'number' || isWorse(narrow[bound], wide[bound]));
    for (const bound of lowerBounds)
      if (isBeyond(bound, (one, other) => one < other)) found.push(`${where}: another ${bound}`);
    for (const bound of upperBounds)
      if (isBeyond(bound, (one, other) => one > other)) found.push(`${where}: another ${bound}`);
    if (way === 'request' && is.pattern !== undefined && is.pattern !== was.pattern)
      found.push(`${where}: another pattern`);

    const properties = partOf(is.properties);
    for (const [name, property] of subpartsOf(was.properties)) {
      if (!(name in properties)) found.push(`${where}.${name}: gone`);
      else if (!texts.includes(name)) compareSchemas(`${where}.${name}`, property, properties[name], way);
    }
    const [needed, given] = way === 'request' ? [is, was] : [was, is];
    for (const name of listOf(needed.required).filter((one) => !listOf(given.required).includes(one)))
      if (way === 'request' || String(name) in properties)
        found.push(`${where}.${String(name)}: ${way === 'request' ? 'newly required' : 'not always there'}`);
    if (isJsonObject(was.items) && isJsonObject(is.items))
      compareSchemas(`${where}[]`, was.items, is.items, way);
    for (const key of ['oneOf', 'anyOf']) compareChoices(where, listOf(was[key]), listOf(is[key]), way);
  }

  /** A reply may gain or lose a kind of error; a request must keep every choice. */
  function compareChoices(where: string, old: unknown[], young: unknown[], way: Way): void {
    for (const [index, choice] of old.entries()) {
      const { $ref } = partOf(choice);
      const other = $ref === undefined ? young[index] : young.find((each) => partOf(each).$ref === $ref);
      if (other !== undefined) compareSchemas(where, choice, other, way);
      else if (way === 'request') found.push(`${where}: a choice is gone`);
    }
  }

  function compareContents(where: string, old: unknown, young: unknown, way: Way): void {
    for (const [type, content] of subpartsOf(old)) {
      const other = partOf(young)[type];
      if (!isJsonObject(other)) found.push(`${where} ${type}: gone`);
      else compareSchemas(where, content.schema, other.schema, way);
    }
  }

  function compareParameters(where: string, old: unknown[], young: unknown[]): void {
    const byName = (document: Part, all: unknown[]) =>
      new Map(
        all.map((one) => read(document, one)).map((one) => [`${String(one.in)} ${String(one.name)}`, one]),
      );
    const [was, is] = [byName(before, old), byName(after, young)];
    for (const [name, parameter] of was) {
      const other = is.get(name);
      if (!other) found.push(`${where} ${name}: gone`);
      else compareSchemas(`${where} ${name}`, parameter.schema, other.schema, 'request');
    }
    for (const [name, { required }] of is)
      if (required === true && was.get(name)?.required !== true)
        found.push(`${where} ${name}: newly required`);
  }

  function compareReplies(where: string, old: unknown, young: unknown): void {
    for (const [status, given] of subpartsOf(old)) {
      const at = `${where} ${status}`;
      const [was, is] = [read(before, given), read(after, partOf(young)[status])];
      if (Object.keys(is).length === 0) {
        // An error status that no longer occurs breaks no client.
        if (Number(status) < 400) found.push(`${at}: gone`);
        continue;
      }
      for (const [name, header] of subpartsOf(was.headers)) {
        const other = partOf(is.headers)[name];
        if (other === undefined) found.push(`${at} ${name}: gone`);
        else if (read(before, header).required === true && read(after, other).required !== true)
          found.push(`${at} ${name}: not always there`);
      }
      compareContents(at, was.content, is.content, 'reply');
    }
  }

  for (const [path, item] of subpartsOf(before.paths))
    for (const method of methods.filter((one) => one in item)) {
      const where = `${method.toUpperCase()} ${path}`;
      const operation = partOf(item[method]);
      const youngItem = partOf(partOf(after.paths)[path]);
      const other = youngItem[method];
      if (!isJsonObject(other)) {
        found.push(`${where}: gone`);
        continue;
      }
      const ofBoth = (one: Part, all: Part) => [...listOf(all.parameters), ...listOf(one.parameters)];
      compareParameters(where, ofBoth(operation, item), ofBoth(other, youngItem));
      compareContents(
        where,
        partOf(operation.requestBody).content,
        partOf(other.requestBody).content,
        'request',
      );
      compareReplies(where, operation.responses, other.responses);
    }
  return [...new Set(found)];
}
