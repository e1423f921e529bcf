import { useSyncExternalStore } from 'react';

let files: ReadonlyMap<string, File> = new Map();
const listeners = new Set<() => void>();

/** By variable path. */
export const chosenFiles = (): ReadonlyMap<string, File> => files;

export function chooseFile(path: string, file: File | null): void {
  const next = new Map(files);
  if (file) next.set(path, file);
  else next.delete(path);
  files = next;
  for (const listener of listeners) listener();
}

export const useChosenFiles = (): ReadonlyMap<string, File> => useSyncExternalStore(subscribe, chosenFiles);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
