const minuteMs = 60_000;

/** Keys told apart at a time. Any more share one, so a storm of made-up keys cannot fill the log. */
const mostKeys = 1_000;

/**
 * Bounds what repeats in the log to one line per key and minute. The first event of a key is written at once with the count 1.
 * Events of the following minute are counted, and written as one line at its end.
 * @param write gets the key, or `others` past 1,000 keys, the events since its last line, and what was noted last
 * @returns notes an event of a key
 */
export function onceAMinute<Noted>(
  write: (key: string, count: number, latest: Noted) => void,
): (key: string, noted: Noted) => void {
  const minutes = new Map<string, { count: number; latest: Noted }>();

  function writeAndHold(key: string, count: number, noted: Noted): void {
    write(key, count, noted);
    const minute = { count: 0, latest: noted };
    minutes.set(key, minute);
    setTimeout(() => {
      minutes.delete(key);
      if (minute.count > 0) writeAndHold(key, minute.count, minute.latest);
    }, minuteMs).unref();
  }

  return (given, noted) => {
    const key = minutes.has(given) || minutes.size < mostKeys ? given : 'others';
    const minute = minutes.get(key);
    if (!minute) return writeAndHold(key, 1, noted);
    minute.count += 1;
    minute.latest = noted;
  };
}
