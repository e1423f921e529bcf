import { about, type Finding } from './finding.js';

/** A smaller difference may come from the network, and from HTTP dates, which are whole seconds. */
const tolerableMs = 5_000;

/** Compares another clock with ours. The other one was read at some moment between the two given instants. */
export function clockFinding(
  whose: string,
  theirs: Date,
  { startedAt, endedAt }: { startedAt: Date; endedAt: Date },
): Finding {
  const { ok, warn } = about('clock');
  const theirsMs = theirs.getTime();
  const offMs = Math.max(startedAt.getTime() - theirsMs, theirsMs - endedAt.getTime(), 0);
  if (offMs <= tolerableMs) return ok(`agrees with the ${whose}’s`);
  const seconds = Math.round(offMs / 1_000);
  return warn(
    `is ${seconds} s ${theirsMs < startedAt.getTime() ? 'ahead of' : 'behind'} the ${whose}’s: tokens and jobs would begin and end at the wrong time`,
    'let NTP set both clocks',
  );
}
