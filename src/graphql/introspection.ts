import { type Settings } from '../settings.js';

/**
 * Whether callers may ask for the schema. INTROSPECTION decides; unset, they may except in production. Where only
 * trusted documents run they never may, so the explorers, which send documents of their own, are not there either.
 */
export const isIntrospectionOn = ({
  environment,
  introspection,
  trustedDocumentsOnly,
}: Pick<Settings, 'environment' | 'introspection' | 'trustedDocumentsOnly'>): boolean =>
  trustedDocumentsOnly === 'off' && (introspection ? introspection === 'on' : environment !== 'production');
