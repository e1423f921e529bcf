import module from 'node:module';

// Node.js 20 has only `register`, which later versions deprecate.
if (module.registerHooks) module.registerHooks(await import('./loader.mjs'));
else module.register('./loader.mjs', import.meta.url);
process.setSourceMapsEnabled(true);
