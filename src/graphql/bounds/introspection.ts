import { NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql';
import { type Settings } from '../../settings.js';

type IntrospectionSettings = Pick<Settings, 'environment' | 'introspection' | 'trustedDocumentsOnly'>;

/** Whether introspection is on: as INTROSPECTION says, by default outside production. Off if only trusted documents run. */
export const isIntrospectionOn = ({
  environment,
  introspection,
  trustedDocumentsOnly,
}: IntrospectionSettings): boolean =>
  trustedDocumentsOnly === 'off' && (introspection ? introspection === 'on' : environment !== 'production');

/** The rule that rejects introspection, if it is off. */
export const introspectionRules = (settings: IntrospectionSettings): ValidationRule[] =>
  isIntrospectionOn(settings) ? [] : [NoSchemaIntrospectionCustomRule];
