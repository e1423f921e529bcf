import { describe, expect, it } from '@jest/globals';
import { expectChain, readAccounts } from '../reliability/support/ledger.js';
import { commandsOn, linesOf } from '../support/commands.js';
import { ownGateway } from '../support/own-gateway.js';
import { expectImportSurvivesKills } from '../support/import-killed.js';

const publicId = 'acme-backend-engineer';
const gateway = ownGateway();

describe('an import (Contract 12.3.5)', () => {
  it('loses no update of a caller: its line precedes it or follows it, as history shows', async () => {
    const authorization = `Bearer ${await gateway.token()}`;
    const job = (index: number) => ({
      ...{
        kind: 'job',
        public_id: `beside-${index}`,
        media_public_id: 'demo-media',
        company_public_id: 'acme',
      },
      name: 'Porter',
    });
    const lines = Array.from({ length: 3_000 }, (_, index) => job(index));
    const own = { kind: 'job', public_id: publicId, salary: 'imported' };
    const records = [...lines.slice(0, 1_500), own, ...lines.slice(1_500)];
    let isOver = false;
    const importing = commandsOn(gateway.settings.mongodbUri ?? '')
      .importFiles(['--actor', 'jo', '-'], linesOf(records))
      .finally(() => (isOver = true));
    const acknowledged: string[] = [];
    for (let count = 0; !isOver; count += 1) {
      const salary = `called ${count}`;
      const { status } = await fetch(`${gateway.url}/jobs/${publicId}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ media_public_id: 'demo-media', company_public_id: 'acme', salary }),
      });
      expect(status).toBe(200);
      acknowledged.push(salary);
    }
    expect(await importing).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/3000 inserted, 1 changed/),
    });

    const [account] = await readAccounts(gateway.models, { publicId });
    const { entries } = account!;
    expectChain(account!, 'salary');
    const after = entries.map(({ changes }) => changes.find(({ field }) => field === 'salary')?.after);
    expect(after.filter((salary) => salary !== 'imported')).toEqual(acknowledged);
    expect(entries.filter(({ transport, actor }) => transport === 'import' && actor === 'jo')).toHaveLength(
      1,
    );
  });

  it('that is killed and run again ends as if it had run once', async () => {
    const environment = { NODE_ENV: 'test', MONGODB_URI: gateway.settings.mongodbUri ?? '' };
    await expectImportSurvivesKills({ models: gateway.models, environment }, { jobs: 2_000, rounds: 3 });
  });
});
