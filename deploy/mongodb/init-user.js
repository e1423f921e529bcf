/* global db */
// Run once by the database's image, when its volume is new: the gateway's user, with no right beyond its own database.
db.getSiblingDB('gateway').createUser({
  user: 'gateway',
  pwd: process.env.GATEWAY_DATABASE_PASSWORD,
  roles: [{ role: 'readWrite', db: 'gateway' }],
});
