import { lineOf } from './doctor/finding.js';
import { startFaults } from './doctor/start-fault.js';
import { startGateway } from './gateway.js';
import { shutdownTimes } from './http/draining.js';
import { createLog } from './log/log.js';
import { describeSettings, misspelledVariables, parseSettings, type Settings } from './settings.js';
import { welcome } from './welcome.js';

/** For how long a stop may go on past the time that requests and tasks have, and a failed start waits to be read. */
const closeTimeoutMs = 5_000;

/** Undefined until they are read. */
let settings: Settings | undefined;

async function run(settings: Settings): Promise<void> {
  const log = createLog(settings);
  log.info({ settings: describeSettings(settings) }, 'starting');
  // Process 1 of a container, which a signal without a handler does not end, would otherwise start although it was told to stop.
  let stop = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'stopped before it had started');
    process.exit();
  };
  process.on('SIGTERM', (signal) => stop(signal));
  // A terminal that closes. Node.js undoes what `nohup` sets, so that without this it would end amid requests.
  process.on('SIGHUP', (signal) => stop(signal));
  // A second Ctrl-C ends the process at once.
  process.once('SIGINT', (signal) => stop(signal));
  for (const { variable, nearest } of misspelledVariables())
    log.warn({ variable, nearest }, 'a variable of the environment looks like a setting and is none');
  // On a full disk spans and the welcome are lost, as lines of the log are.
  process.stdout.on('error', () => undefined);
  // Imported only then: a gateway that traces nothing pays nothing.
  const { traceExporter } = settings;
  const tracing = traceExporter && (await import('./tracing/start-tracing.js')).startTracing(traceExporter);
  const gateway = await startGateway(settings, { log, tracing });
  void gateway.database.failure.then((err) => {
    // Its memory is ahead of the disk: only a start reads what is really stored.
    log.fatal(
      { err },
      'the built-in store failed: see whether the disk of DATA_DIR has room, and start again',
    );
    process.exit(1);
  });
  stop = (signal) => {
    // Who asks again gets the stop that is under way.
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
  const faults = startFaults(error, settings);
  const why =
    faults.length > 0
      ? `\n${faults.map(lineOf).join('\n')}\n\`npm run doctor\` says more.`
      : ` ${error instanceof Error ? error.stack : String(error)}`;
  const end = () => process.exit();
  process.stderr.write(`The gateway cannot start:${why}\n`, end);
  // A full pipe takes the message once its reader goes on. One that never does must not keep the process.
  setTimeout(end, closeTimeoutMs);
}
