import { type Models, needsServer, serverMessage } from '../models.js';
import { demoData } from '../demo/demo-data.js';
import { isEmpty } from '../demo/seed.js';
import { type Settings } from '../settings/settings.js';
import { about, type Finding } from './finding.js';

export async function checkData(
  models: Models,
  settings: Settings,
  { isShared }: { isShared: boolean },
): Promise<Finding[]> {
  return [
    await demoFinding(models, settings),
    ...(!isShared && settings.archiver === 'off'
      ? [
          about('archiver').warn(
            'ARCHIVER is off, and no other process can archive in the built-in store',
            'set ARCHIVER=on',
          ),
        ]
      : []),
    ...(!isShared && (await needsServer(models))
      ? [about('database').warn(serverMessage, 'import an export into a MongoDB server, and set MONGODB_URI')]
      : []),
  ];
}

async function demoFinding(models: Models, { environment }: Settings): Promise<Finding> {
  const { ok, warn } = about('data');
  if (await isEmpty(models))
    return warn(
      'the database holds no media, so callers reach nothing',
      'import media with npm run import -- FILE; to try the gateway, npm run seed adds demo data',
    );
  const demoIds = demoData(new Date()).media.map(({ _id }) => _id);
  const demo = await models.media.find({ _id: { $in: demoIds } }, { publicId: 1 }).lean();
  if (environment !== 'production' || demo.length === 0) return ok('the database holds media');
  return warn(
    `the demo data is in production: ${demo.map(({ publicId }) => publicId).join(', ')}`,
    'npm run seed -- --remove --yes',
  );
}
