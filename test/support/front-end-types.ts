import { join } from 'node:path';
import ts from 'typescript';
import { root } from './process.js';

export const inBrowser: ts.CompilerOptions = {
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'],
  types: [],
};

export const inNode: ts.CompilerOptions = {
  lib: ['lib.es2022.d.ts'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
};

/** Shared by all programs. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** The compiler's messages for a front-end that has only the package, not this repository. */
export function faultsOf(files: string[], platform: ts.CompilerOptions = inBrowser): string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    ...platform,
    strict: true,
    noEmit: true,
    // Several files import Apollo Client, whose declarations take seconds to check. A single file does not.
    skipLibCheck: files.length > 1,
    skipDefaultLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const parse = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...how) => {
    if (!parsed.has(name)) parsed.set(name, parse(name, ...how));
    return parsed.get(name);
  };
  const program = ts.createProgram(files, options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file: source, messageText }) =>
      [source?.fileName ?? '', ts.flattenDiagnosticMessageText(messageText, '\n')].join(': '),
    );
}
