import { NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql';
import { type Settings } from '../../settings.js';

type IntrospectionSettings = Pick<Settings, 'environment' | 'introspection' | 'trustedDocumentsOnly'>;

/** INTROSPECTION decides; if it is not set, true except in production. Always false if only trusted documents run. */
export const isIntrospectionOn = ({
  environment,
  introspection,
  trustedDocumentsOnly,
}: IntrospectionSettings): boolean =>
  trustedDocumentsOnly === 'off' && (introspection ? introspection === 'on' : environment !== 'production');

/** The rule that rejects introspection queries, if introspection is off. */
export const introspectionRules = (settings: IntrospectionSettings): ValidationRule[] =>
  isIntrospectionOn(settings) ? [] : [NoSchemaIntrospectionCustomRule];
