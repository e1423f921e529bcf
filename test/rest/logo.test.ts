import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { plain } from '../company/logo/test-images.js';
import { resetWithLogos, storedLogos } from '../company/logo/test-uploads.js';
import { multipartOf, type Part } from '../support/multipart.js';
import { ownGateway } from '../support/own-gateway.js';
import { rest } from '../support/requests.js';
import { names } from '../support/updates.js';

const none = { files: 0, hasChunks: false };

const gateway = ownGateway();
const png = await plain(8, 8).png().toBuffer();
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => resetWithLogos(gateway));

function patch(parts: Part[], headers: Record<string, string> = {}) {
  const multipart = multipartOf([...Object.entries(names), ...parts]);
  return rest(gateway, 'PATCH', '/companies', { multipart }, { token, headers });
}

const codes = ({ body }: Awaited<ReturnType<typeof patch>>) => (body.errors ?? []).map(({ code }) => code);

describe('PATCH /companies with a file', () => {
  it('ignores a file in an undocumented field, and warns with unknown-field (Contract 5.1.4)', async () => {
    const { status, body } = await patch([
      ['photo', png],
      ['photo', png],
    ]);
    expect([status, body.warnings?.map(({ code, field }) => [code, field])]).toEqual([
      201,
      [['unknown-field', 'photo']],
    ]);
    expect(await storedLogos(gateway)).toEqual(none);
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'ignores a text or file in the field %s, and warns with unknown-field (Contract 5.1.4)',
    async (name) => {
      for (const value of ['text', png]) {
        const { status, body } = await patch([[name, value]]);
        expect([status, body.warnings?.map(({ code, field }) => [code, field])]).toEqual([
          201,
          [['unknown-field', name]],
        ]);
      }
    },
  );

  it('keeps a logo for another hour if an update, but not a dry run, sends it again (Contract 9.2.8)', async () => {
    const files = gateway.models.companies.db.collection<{ metadata: { putAt: Date } }>('logos.files');
    const putAt = async () => (await files.findOne())?.metadata.putAt.getTime() ?? 0;
    await patch([['logo', png]]);
    const long = new Date(0);
    await files.updateOne({}, { $set: { 'metadata.putAt': long } });
    await patch([['logo', png]], { prefer: 'validate-only' });
    expect(await putAt()).toBe(0);
    await patch([['logo', png]]);
    expect(await putAt()).toBeGreaterThan(0);
  });

  it.each<[string, Part[]]>([
    [
      'two files',
      [
        ['logo', Buffer.from('one')],
        ['logo', Buffer.from('two')],
      ],
    ],
    [
      'a file and a text',
      [
        ['logo', Buffer.from('one')],
        ['logo', 'text'],
      ],
    ],
  ])('answers logo-must-be-file if logo is %s (Contract 5.1.3)', async (_, parts) => {
    const reply = await patch(parts);
    expect([reply.status, codes(reply)]).toEqual([422, ['logo-must-be-file']]);
    expect(await storedLogos(gateway)).toEqual(none);
  });

  it('answers name-must-be-string if name is a file, and reports the other faults too (Contract 5.1.3)', async () => {
    const reply = await patch([
      ['name', png],
      ['logo', Buffer.from('x')],
      ['logo_url', 'nowhere'],
    ]);
    expect([reply.status, codes(reply).sort()]).toEqual([422, ['logo-format-error', 'name-must-be-string']]);
  });
});
