import { h } from './dom';

/** Past this many words on both sides, a diff says nothing that helps. */
const mostWords = 2_000;

/** What became of a text: words that went as `del`, words that came as `ins`. */
export function diff(before: string, after: string): (Node | string)[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  if (old.length + now.length > mostWords) return [after];
  // The longest common part of each pair of ends.
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i]![j] =
        old[i] === now[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  const parts: (Node | string)[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && old[i] === now[j]) {
      parts.push(old[i]!);
      i += 1;
      j += 1;
    } else if (j === now.length || (i < old.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      parts.push(h('del', old[i]!));
      i += 1;
    } else {
      parts.push(h('ins', now[j]!));
      j += 1;
    }
  }
  return parts;
}

/** Words with the blanks that follow them. */
const wordsOf = (text: string): string[] => text.match(/\S+\s*/g) ?? [];
