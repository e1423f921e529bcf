import { type Settings } from '../settings.js';

/**
 * Whether the schema may be asked for: as INTROSPECTION says, else everywhere but in production. Where only trusted
 * documents run, nobody may, so that the explorers, which send documents of their own, are not there either.
 */
export const isIntrospectionOn = ({
  environment,
  introspection,
  trustedDocumentsOnly,
}: Pick<Settings, 'environment' | 'introspection' | 'trustedDocumentsOnly'>): boolean =>
  trustedDocumentsOnly === 'off' && (introspection ? introspection === 'on' : environment !== 'production');
