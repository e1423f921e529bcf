import { type ErrorCode } from '../../../src/errors/catalogue.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { settle } from '../../support/settle.js';
import { openSeverableDatabase } from '../../support/severable.js';
import { updateJob } from '../../support/updates.js';

type Place = Pick<TestGateway, 'url' | 'token'>;

type Occasion = (usual: TestGateway, run: (place: Place) => Promise<void>) => Promise<void>;

/** How to cause the errors that a request alone cannot cause. */
export const occasions: Partial<Record<ErrorCode, Occasion>> = {
  // A separate gateway: a process remembers an empty bucket even after the database is reset.
  'rate-limit-exceeded': async (_usual, run) => {
    const gateway = await startTestGateway({ UPDATE_JOB_QUOTA: '2/60s' });
    const token = await gateway.token({ sub: 'developer' });
    for (let count = 0; count < 2; count += 1) await updateJob(gateway, {}, { token });
    await run(gateway).finally(() => gateway.stop());
  },

  'payload-too-large': async (_usual, run) => {
    const gateway = await startTestGateway({ BODY_MAX_SIZE: '1KiB' });
    await run(gateway).finally(() => gateway.stop());
  },

  'internal-error': async (usual, run) => {
    const damage = { $set: { location: null, questions: null } };
    await usual.models.jobs.collection.updateOne({ publicId: 'acme-backend-engineer' }, damage);
    await run(usual);
  },

  'service-unavailable': async (_usual, run) => {
    const database = await openSeverableDatabase();
    const gateway = await startTestGateway({ ARCHIVER: 'off' }, { database });
    database.way.sever();
    await run(gateway).finally(async () => {
      database.way.restore();
      await gateway.stop();
    });
  },
};

/** Runs an example, such as `errors/not-found`, in its conditions, with the token from the README of the examples. */
export const exampleRunner =
  (gateway: TestGateway) =>
  async (example: string, run: (place: { url: string; token: string }) => Promise<void>): Promise<void> => {
    await gateway.reset();
    if (example.endsWith('changes')) await settle(gateway);
    const runThere = async ({ url, token }: Place) => run({ url, token: await token({ sub: 'developer' }) });
    const occasion = occasions[example.replace(/^errors\//, '') as ErrorCode];
    await (occasion && example.startsWith('errors/') ? occasion(gateway, runThere) : runThere(gateway));
  };
