import { type Language } from '../errors/catalogue.js';

/** The language of the gateway that `Accept-Language` prefers (RFC 9110, 12.5.4): English unless French is. */
export function preferredLanguage(header: string | undefined): Language {
  if (!header) return 'en';
  const weights = { en: 0, fr: 0 };
  for (const range of header.split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const language = tag.trim().split('-')[0];
    if (language !== 'en' && language !== 'fr') continue;
    const weight = /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameters[0] ?? 'q=1')?.[1];
    weights[language] = Math.max(weights[language], Number(weight ?? 0));
  }
  return weights.fr > weights.en ? 'fr' : 'en';
}
