import { type LocalisedText } from './catalogue.js';
import { DomainError } from './domain-error.js';

const wholeBody = { en: 'the body', fr: 'le corps' };

/** payload-too-large with the limit (Contract 7.1.5). @param of the part that is too large; default: the body */
export const tooLarge = (maxBytes: number, of: LocalisedText = wholeBody, cause?: unknown): DomainError =>
  new DomainError('payload-too-large', {
    hint: {
      en: `${of.en} must have at most ${maxBytes} bytes`,
      fr: `${of.fr} ne doit pas dépasser ${maxBytes} octets`,
    },
    cause,
  });
