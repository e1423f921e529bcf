import { describe, expect, it } from '@jest/globals';
import { isEnumType, isInputObjectType, isObjectType, Kind, parse, print } from 'graphql';
import { readFileSync } from 'node:fs';
import { buildSchema, printSdl } from '../../src/graphql/schema.js';
import { parseSettings } from '../../src/settings.js';
import { startTestGateway } from '../support/gateway.js';
import { rest } from '../support/requests.js';

const committed = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');

interface Described {
  name: string;
  description?: string | null | undefined;
}

describe('schema/schema.graphql', () => {
  it('is what the code emits (Contract 4.4.4)', () => {
    expect(committed === printSdl()).toBe(true);
  });

  it('describes every type, field, argument and value of an enum (Contract 4.4.4)', () => {
    const types = Object.values(buildSchema().getTypeMap()).filter(({ name }) => !name.startsWith('__'));
    const silent = types.flatMap((type) => {
      const named = (names: readonly Described[]) =>
        names.filter(({ description }) => !description).map(({ name }) => `${type.name}.${name}`);
      const outputs = isObjectType(type) ? Object.values(type.getFields()) : [];
      const inputs = isInputObjectType(type) ? Object.values(type.getFields()) : [];
      const values = isEnumType(type) ? type.getValues() : [];
      const fields: Described[] = [...outputs, ...inputs, ...values, ...outputs.flatMap(({ args }) => args)];
      return [...(type.description ? [] : [type.name]), ...named(fields)];
    });
    expect(silent).toEqual([]);
  });

  it('shows the quotas that hold unless they are set, and a setting takes their place (Contract 8.2.5)', async () => {
    const { updateJobQuota, mutationQuota, readQuota } = parseSettings({});
    const directive = ({ limit, durationSeconds }: typeof readQuota) =>
      `@rateLimit(limit: ${limit}, duration: ${durationSeconds})`;
    const queries = Object.keys(buildSchema().getQueryType()?.getFields() ?? {});
    const roots = parse(committed).definitions.flatMap((definition) =>
      definition.kind === Kind.OBJECT_TYPE_DEFINITION && /^(Query|Mutation)$/.test(definition.name.value)
        ? (definition.fields ?? [])
        : [],
    );
    const shown = roots.map(({ name, directives }) => [name.value, directives?.map(print).join(' ')]);
    expect(Object.fromEntries(shown)).toEqual({
      ...Object.fromEntries(queries.map((name) => [name, directive(readQuota)])),
      updateCompany: directive(mutationQuota),
      updateJob: directive(updateJobQuota),
    });

    const gateway = await startTestGateway({ UPDATE_JOB_QUOTA: '7/60s' });
    const form = { media_public_id: 'demo-media', company_public_id: 'acme' };
    const token = await gateway.token();
    const { headers } = await rest(gateway, 'POST', '/jobs/acme-backend-engineer', { form }, { token });
    await gateway.stop();
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['7', '6']);
  });
});
