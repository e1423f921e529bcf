import { NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql';
import { type Settings } from '../../settings.js';

type IntrospectionSettings = Pick<Settings, 'environment' | 'introspection' | 'trustedDocumentsOnly'>;

/** Whether callers may ask for the schema: as INTROSPECTION says, else outside production; never with trusted documents only. */
export const isIntrospectionOn = ({
  environment,
  introspection,
  trustedDocumentsOnly,
}: IntrospectionSettings): boolean =>
  trustedDocumentsOnly === 'off' && (introspection ? introspection === 'on' : environment !== 'production');

/** Refuses documents that ask for the schema, where that is off. */
export const introspectionRules = (settings: IntrospectionSettings): ValidationRule[] =>
  isIntrospectionOn(settings) ? [] : [NoSchemaIntrospectionCustomRule];
