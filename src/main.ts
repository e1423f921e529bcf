import { startGateway } from './gateway.js';
import { shutdownTimes } from './http/draining.js';
import { createLog } from './log/log.js';
import { describeSettings, parseSettings, type Settings } from './settings/settings.js';
import { version } from './settings/version.js';
import { welcome } from './welcome.js';

/** How long a stop may take after the time for requests and tasks, or a failed start to write its error message. */
const closeTimeoutMs = 5_000;

let settings: Settings | undefined;

async function run(settings: Settings): Promise<void> {
  const log = createLog(settings);
  log.info({ version, settings: describeSettings(settings) }, 'starting');
  // Linux ignores unhandled signals to process 1: a container that is stopped early would start anyway.
  let stop = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'stopped before it had started');
    process.exit();
  };
  process.on('SIGTERM', (signal) => stop(signal));
  // A closing terminal sends SIGHUP. Node.js undoes `nohup`, so without a handler the process would die in the middle of requests.
  process.on('SIGHUP', (signal) => stop(signal));
  // A second Ctrl-C ends the process at once.
  process.once('SIGINT', (signal) => stop(signal));
  // If standard output fails, for example on a full disk, drop spans and the welcome text.
  process.stdout.on('error', () => undefined);
  // Import tracing only when needed: it slows the start.
  const { traceExporter } = settings;
  const tracing = traceExporter && (await import('./tracing/start-tracing.js')).startTracing(traceExporter);
  const gateway = await startGateway(settings, { log, tracing });
  void gateway.database.failure.then((err) => {
    // The store now has changes in memory that are not on the disk. Only a restart reads what is really stored.
    log.fatal(
      { err },
      'the built-in store failed: check that the disk of DATA_DIR has free space, then start again',
    );
    process.exit(1);
  });
  stop = (signal) => {
    stop = () => undefined;
    log.info({ signal }, 'stopping');
    setTimeout(
      () => {
        log.error('the stop took too long');
        process.exit(1);
      },
      shutdownTimes.delayMs + shutdownTimes.timeoutMs + closeTimeoutMs,
    ).unref();
    const stopAll = async () => {
      await gateway.stop();
      await tracing?.stop();
    };
    stopAll().then(
      () => {
        log.info('stopped');
        process.exit(0);
      },
      (err: unknown) => {
        log.error({ err }, 'the stop failed');
        process.exit(1);
      },
    );
  };

  log.info({ url: gateway.url, store: gateway.database.description, key: gateway.keys.description }, 'ready');
  if (settings.environment === 'development') process.stdout.write(await welcome(settings, gateway));
}

try {
  settings = parseSettings();
  await run(settings);
} catch (error) {
  process.exitCode = 1;
  const { startFaultLines } = await import('./doctor/start-fault.js');
  const faults = startFaultLines(error, settings);
  const why =
    faults.length > 0 ? `\n${faults.join('\n')}` : ` ${error instanceof Error ? error.stack : String(error)}`;
  const end = () => process.exit();
  process.stderr.write(`The gateway cannot start:${why}\n`, end);
  // Standard error can be a full pipe that nobody reads.
  setTimeout(end, closeTimeoutMs);
}
