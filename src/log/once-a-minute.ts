const minuteMs = 60_000;

/** Keys tracked at a time. All further keys share one key, so made-up keys cannot flood the log. */
const mostKeys = 1_000;

/**
 * Limits log lines to one per key and minute. Writes the first event of a key at once, and the events of the next minute as one line at
 * the end of that minute.
 * @param write gets the key (`others` past 1,000 keys), the number of events since the key's last line, and the latest value
 */
export function onceAMinute<Noted>(write: (key: string, count: number, latest: Noted) => void) {
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

  return (subject: string, noted: Noted): void => {
    const key = minutes.has(subject) || minutes.size < mostKeys ? subject : 'others';
    const minute = minutes.get(key);
    if (!minute) return writeAndHold(key, 1, noted);
    minute.count += 1;
    minute.latest = noted;
  };
}
