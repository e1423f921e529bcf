export * from './gateway-link.js';
export * from './type-policies.js';
