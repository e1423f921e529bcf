export * from './follow-changes.js';
export { gatewayLink, type GatewayLinkOptions } from './gateway-link.js';
export * from './type-policies.js';
