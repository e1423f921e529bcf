import { readFile, stat } from 'node:fs/promises';
import { jsonFault } from './json-fault.js';

/** @throws Error that names the file, and says why it cannot be read or where it stops being JSON */
export async function readJsonFile(
  path: string,
  { mostMebibytes }: { mostMebibytes: number },
): Promise<unknown> {
  let text: string;
  try {
    if ((await stat(path)).size > mostMebibytes * 1_048_576)
      throw new Error(`it is larger than ${mostMebibytes} MiB`);
    // TextDecoder drops a byte order mark.
    text = new TextDecoder().decode(await readFile(path));
  } catch (cause) {
    throw new Error(`The file ${path} cannot be read: ${(cause as Error).message}.`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch {
    const { line, character } = jsonFault(text)!;
    throw new Error(`The file ${path} is not valid JSON at line ${line}, character ${character}.`);
  }
}
