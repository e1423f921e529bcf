import { useSyncExternalStore } from 'react';

let files: ReadonlyMap<string, File> = new Map();
const listeners = new Set<() => void>();

/** The files that were chosen in this page, by the path of the variable that takes each. */
export const chosenFiles = (): ReadonlyMap<string, File> => files;

/** Chooses the file of a variable; null takes it back. */
export function chooseFile(path: string, file: File | null): void {
  const next = new Map(files);
  if (file) next.set(path, file);
  else next.delete(path);
  files = next;
  for (const listener of listeners) listener();
}

/** The chosen files, drawn anew at each choice. */
export const useChosenFiles = (): ReadonlyMap<string, File> => useSyncExternalStore(subscribe, chosenFiles);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
