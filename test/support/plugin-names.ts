// Of a plugin without a name, Fastify looks for the file in `require.cache`. Jest makes that list anew for every look, which
// would cost each start of a gateway a tenth of a second of processor time.
Object.assign(Function.prototype, { [Symbol.for('fastify.display-name')]: 'a plugin without a name' });
