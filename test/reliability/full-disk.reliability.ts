import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from './support/client.js';
import { ownFolder } from './support/installation.js';
import { endAll, startWithFullDisk } from '../support/process.js';
import { until } from '../support/until.js';

afterEach(endAll);

describe('built-in store with a full disk', () => {
  it('acknowledges nothing that it could not write, says why, and exits with a failure', async () => {
    const { environment, token, look, remove } = await ownFolder();
    const gateway = await startWithFullDisk({ ...environment, LOG_LEVEL: 'info' }, 1_024);
    const client = new Client(gateway.url, token);
    const acknowledged: string[] = [];
    for (let count = 0; count < 2_000; count += 1) {
      const salary = `n${count}`;
      const text = `${count} ${'x'.repeat(15_000)}`;
      const { status } = await client.updateJob('acme-office-manager', { salary, description_job: text });
      if (status === 200) acknowledged.push(salary);
      if (status === null) break;
    }
    client.close();
    await until(() => gateway.child.exitCode !== null);
    expect(gateway.child.exitCode).toBe(1);
    expect(gateway.output()).toContain(
      'the built-in store failed: check that the disk of DATA_DIR has free space',
    );
    await look(async ({ jobs }) => {
      const job = await jobs.findOne({ publicId: 'acme-office-manager' }).lean();
      const last = Number(acknowledged.at(-1)?.slice(1));
      expect(Number(job?.salary?.slice(1))).toBeGreaterThanOrEqual(last);
    });
    await remove();
  }, 60_000);
});
