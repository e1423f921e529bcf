import { type Settings } from '../settings.js';

/** Whether callers may ask for the schema: as INTROSPECTION says, else outside production; never with trusted documents only. */
export const isIntrospectionOn = ({
  environment,
  introspection,
  trustedDocumentsOnly,
}: Pick<Settings, 'environment' | 'introspection' | 'trustedDocumentsOnly'>): boolean =>
  trustedDocumentsOnly === 'off' && (introspection ? introspection === 'on' : environment !== 'production');
