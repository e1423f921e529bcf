import { type Models, needsServer, serverMessage } from '../models.js';
import { demoData } from '../demo/demo-data.js';
import { isEmpty } from '../demo/seed.js';
import { projectionOf } from '../paging/query.rules.js';
import { dueQuery } from '../job/job-end.rules.js';
import { type JobRecord } from '../job/job.record.js';
import { type Settings } from '../settings/settings.js';
import { about, type Finding } from './finding.js';

/** A job may wait for this many runs of the archiving task without a warning. */
const toleratedRuns = 3;
const shortestLagMs = 60_000;

export async function checkData(
  models: Models,
  settings: Settings,
  { isShared, now }: { isShared: boolean; now: Date },
): Promise<Finding[]> {
  return [
    await demoFinding(models, settings, now),
    await archiverFinding(models, settings, { isShared, now }),
    ...(!isShared && (await needsServer(models))
      ? [about('database').warn(serverMessage, 'import an export into a MongoDB server, and set MONGODB_URI')]
      : []),
  ];
}

async function demoFinding(models: Models, { environment }: Settings, now: Date): Promise<Finding> {
  const { ok, warn } = about('data');
  if (await isEmpty(models))
    return warn(
      'the database holds no media, so callers reach nothing',
      'import media with npm run import -- FILE; to try the gateway, npm run seed adds demo data',
    );
  const demoIds = demoData(now).media.map(({ _id }) => _id);
  const demo = await models.media.find({ _id: { $in: demoIds } }, { publicId: 1 }).lean();
  if (environment !== 'production' || demo.length === 0) return ok('the database holds media');
  return warn(
    `the demo data is in production: ${demo.map(({ publicId }) => publicId).join(', ')}`,
    'npm run seed -- --remove --yes',
  );
}

async function archiverFinding(
  models: Models,
  { archiver, archiveEveryMs }: Settings,
  { isShared, now }: { isShared: boolean; now: Date },
): Promise<Finding> {
  const { ok, warn } = about('archiver');
  const [oldest] = await models.jobs
    .find(dueQuery(now), projectionOf(['publicId', 'expiresAt']))
    .sort({ expiresAt: 1 })
    .limit(1)
    .lean<JobRecord[]>();
  const lagMs = now.getTime() - (oldest?.expiresAt ?? now).getTime();
  const lag = `the oldest job that is due, ${oldest?.publicId}, has waited ${spanOf(lagMs)}`;
  const isLate = lagMs > Math.max(toleratedRuns * archiveEveryMs, shortestLagMs);
  if (archiver === 'off' && !isShared)
    return warn('ARCHIVER is off, and no other process can archive in the built-in store', 'set ARCHIVER=on');
  if (archiver === 'on')
    return isLate
      ? warn(
          lag,
          'start the gateway if it is not running; otherwise its log says why archive-expired-jobs fails or skips the job',
        )
      : ok('jobs are archived in time');
  return isLate
    ? warn(
        `ARCHIVER is off here, and nobody archives: ${lag}`,
        'start a process with ARCHIVER=on on this database',
      )
    : ok('ARCHIVER is off here, and no job waits to be archived');
}

/** In the largest unit that gives at least 2: `90 minutes`, but `2 hours`. */
function spanOf(ms: number): string {
  const units = [
    [86_400_000, 'days'],
    [3_600_000, 'hours'],
    [60_000, 'minutes'],
  ] as const;
  const [unitMs, name] = units.find(([each]) => ms >= 2 * each) ?? [1_000, 'seconds'];
  return `${Math.floor(ms / unitMs)} ${name}`;
}
