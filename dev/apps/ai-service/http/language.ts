import type { Language } from '../../../../src/contract/language.ts';

const languages = ['en', 'he', 'ar', 'es'] as const satisfies readonly Language[];

/** The best of our languages for an Accept-Language header (RFC 9110, 12.5.4); undefined when none fits. */
export function negotiateLanguage(header = ''): Language | undefined {
  const ranges = header
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const quality = Number(parameters.find((it) => it.startsWith('q='))?.slice(2) ?? 1);
      return { language: tag.split('-', 1)[0], quality: Number.isNaN(quality) ? 0 : quality };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  for (const { language } of ranges) {
    const match = languages.find((it) => it === language);
    if (match !== undefined) return match;
  }
  return undefined;
}
