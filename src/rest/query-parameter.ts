import { type FastifyRequest } from 'fastify';

/** A parameter of the query, spelled with hyphens or with underscores: undefined for none, a list where it came several times. */
export function queryParameter({ query }: Pick<FastifyRequest, 'query'>, name: string): unknown {
  const given = query as Record<string, unknown>;
  const values = [given[name], given[name.replaceAll('-', '_')]]
    .flat()
    .filter((value) => value !== undefined);
  return values.length > 1 ? values : values[0];
}
