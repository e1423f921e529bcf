import { expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { SentCommands } from '../support/sent-commands.js';

const commands = new SentCommands();
const gateway = ownGateway({}, { tracing: commands.tracing });

it.each(['media_admin', 'media_partner'] as const)(
  'a job of another media is not read for a %s: its time would tell that it is there (Contract 5.7)',
  async (role) => {
    const token = await gateway.token({ roles: [role], media: ['demo-media'] });
    commands.forget();
    const { status } = await fetch(`${gateway.url}/jobs/initech-tester`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(401);
    expect(commands.to('jobs').map(({ pipeline }) => (pipeline as unknown[])[0])).toEqual([
      { $match: expect.objectContaining({ publicId: 'initech-tester', media: { $in: ['demo-media'] } }) },
    ]);
  },
);
