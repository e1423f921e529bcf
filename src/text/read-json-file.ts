import { readFile, stat } from 'node:fs/promises';
import { visible } from '../errors/messages.js';

/** @throws Error that names the file, and says why it cannot be read */
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
  } catch (cause) {
    throw new Error(`The file ${path} is not valid JSON: ${visible((cause as Error).message)}.`, { cause });
  }
}
