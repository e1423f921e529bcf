import { readFileSync, writeFileSync } from 'node:fs';
import { writeSbom } from './sbom.js';

interface Lock {
  packages: Record<string, { dev?: true; devDependencies?: object }>;
}

// Writes what `npm pack` adds to the package: the SBOM with the licences, and the exact version of every package that was tested.
const root = new URL('../../', import.meta.url);
// First: npm would read the shrinkwrap instead of the lock file, which has the bundled packages too.
await writeSbom(root);
const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as Lock;
const { '': own, ...others } = lock.packages;
const installed = Object.entries(others).filter(([, { dev = false }]) => !dev);
const packages = { '': { ...own, devDependencies: undefined }, ...Object.fromEntries(installed) };
// npm ignores the `overrides` of a package that it installs, but follows its shrinkwrap.
writeFileSync(new URL('npm-shrinkwrap.json', root), `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
