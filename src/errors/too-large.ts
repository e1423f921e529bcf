import { type LocalisedText } from './catalogue.js';
import { DomainError } from './domain-error.js';
import { type FieldFault } from './field-fault.js';

const wholeBody = { en: 'the body', fr: 'le corps' };

/** payload-too-large with the limit (Contract 7.1.5). @param of the part that is too large; default: the body */
export const tooLarge = (
  maxBytes: number,
  of: LocalisedText = wholeBody,
  { cause, faults }: { cause?: unknown; faults?: readonly FieldFault[] } = {},
): DomainError =>
  new DomainError('payload-too-large', {
    ...(faults && { faults }),
    hint: {
      en: `${of.en} must have at most ${maxBytes} bytes`,
      fr: `${of.fr} ne doit pas dépasser ${maxBytes} octets`,
    },
    cause,
  });
