/* global db */
// The database's image runs this once, when its volume is new. The gateway's user gets rights on its own database only.
db.getSiblingDB('gateway').createUser({
  user: 'gateway',
  pwd: process.env.GATEWAY_DATABASE_PASSWORD,
  roles: [{ role: 'readWrite', db: 'gateway' }],
});
