export { sendWith } from './apollo-send.js';
export { UnreachedGatewayError } from './broken-connection.js';
export * from './follow-changes.js';
export { gatewayLink, type GatewayLinkOptions, type Wait } from './gateway-link.js';
export * from './type-policies.js';
