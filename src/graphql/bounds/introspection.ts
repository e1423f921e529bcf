import { NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql';
import { type Settings } from '../../settings/settings.js';

type IntrospectionSettings = Pick<Settings, 'environment' | 'introspection' | 'trustedDocumentsOnly'>;

export const isIntrospectionOn = ({
  environment,
  introspection,
  trustedDocumentsOnly,
}: IntrospectionSettings): boolean =>
  trustedDocumentsOnly === 'off' && (introspection ? introspection === 'on' : environment !== 'production');

export const introspectionRules = (settings: IntrospectionSettings): ValidationRule[] =>
  isIntrospectionOn(settings) ? [] : [NoSchemaIntrospectionCustomRule];
