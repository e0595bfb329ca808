import { defaultLanguage, Language } from '../../contract/language.ts';

/**
 * The language of the query's `lang`, else the best supported entry of `Accept-Language` (RFC 9110 §12.5.4), else
 * English. An unknown language is never an error.
 */
export function negotiateLanguage(lang: string | null, acceptLanguage: string | null): Language {
  if (lang !== null) return supported(lang) ?? defaultLanguage;
  const wanted = (acceptLanguage ?? '')
    .slice(0, 512)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().split(';');
      const weight = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1]);
      return { tag, q: Number(weight.find((value) => value !== undefined) ?? 1) };
    })
    .filter(({ q }) => q > 0)
    .toSorted((a, b) => b.q - a.q);
  for (const { tag } of wanted) {
    const language = supported(tag);
    if (language !== undefined) return language;
  }
  return defaultLanguage;
}

/** Older Android and Java send `iw` for Hebrew. */
function supported(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split(/[-_]/)[0];
  return primary === 'iw' ? 'he' : Language.options.find((language) => language === primary);
}
