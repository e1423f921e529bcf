import { type Language, languages } from './catalogue.js';

/** The language that `Accept-Language` prefers (RFC 9110, 12.5.4), also in the form `fr_FR`. Default: English. */
export function preferredLanguage(header: string | undefined): Language {
  if (!header) return 'en';
  const weights = new Map<Language, number>();
  const weightOf = (language: Language) => weights.get(language) ?? 0;
  for (const range of header.split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const named = tag.trim().split(/[-_]/)[0];
    const language = languages.find((each) => each === named);
    if (!language) continue;
    const weight = /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameters[0] ?? 'q=1')?.[1];
    weights.set(language, Math.max(weightOf(language), Number(weight ?? 0)));
  }
  return languages.reduce((best, each) => (weightOf(each) > weightOf(best) ? each : best), 'en');
}
