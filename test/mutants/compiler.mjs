import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Returns a function that says whether the compiler rejects a file with this text. */
export function compilerOf(root) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const changed = new Map();
  const versions = new Map();
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
    getScriptFileNames: () => fileNames,
    getScriptVersion: (name) => String(versions.get(name) ?? 0),
    getScriptSnapshot: (name) =>
      ts.sys.fileExists(name)
        ? ts.ScriptSnapshot.fromString(changed.get(name) ?? readFileSync(name, 'utf8'))
        : undefined,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
  });
  return (path, text) => {
    const name = join(root, path);
    const set = (given) => {
      if (given === undefined) changed.delete(name);
      else changed.set(name, given);
      versions.set(name, (versions.get(name) ?? 0) + 1);
    };
    set(text);
    const isRefused = service.getSemanticDiagnostics(name).length > 0;
    set(undefined);
    return isRefused;
  };
}
