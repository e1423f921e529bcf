import { Session } from 'node:inspector/promises';

// The gateway process imports this probe, which answers each message with the files whose functions have run since the last message.
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
process.on('message', () => {
  void session.post('Profiler.takePreciseCoverage').then(({ result }) => {
    const hasRun = ({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0);
    process.send(result.filter(hasRun).map(({ url }) => url));
  });
});
