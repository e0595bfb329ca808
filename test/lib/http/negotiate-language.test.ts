import { describe, expect, test } from 'vitest';
import { negotiateLanguage } from '../../../src/lib/http/negotiate-language.ts';

describe('the query takes precedence over the header', () => {
  test.each([
    ['he', 'es', 'he'],
    ['HE', 'es', 'he'],
    ['ar-SA', 'es', 'ar'],
    ['es_MX', 'he', 'es'],
    ['iw', null, 'he'],
    // Asked for and unknown: English, not a second choice that was not meant.
    ['fr', 'es', 'en'],
    ['', 'es', 'en'],
  ])('lang=%s with Accept-Language %s gives %s', (lang, header, language) => {
    expect(negotiateLanguage(lang, header)).toBe(language);
  });
});

describe('Accept-Language is read by its weights', () => {
  test.each([
    ['he', 'he'],
    ['fr, ar;q=0.8, en;q=0.9', 'en'],
    ['fr, ar;q=0.9, en;q=0.9', 'ar'],
    ['es;q=0.5, he;q=0.51', 'he'],
    ['en;q=0.1, es-419', 'es'],
    ['EN-gb;q=1.0, he', 'en'],
    ['he;q=0, es;q=0.1', 'es'],
    ['he;q=0, fr', 'en'],
    ['he ; q=0.3 , ar ; q=0.7', 'ar'],
    ['iw-IL, en;q=0.5', 'he'],
    ['fr, de', 'en'],
    ['*', 'en'],
    ['', 'en'],
    [';;;,,q=', 'en'],
    ['he;q=2', 'he'],
  ])('%s gives %s', (header, language) => {
    expect(negotiateLanguage(null, header)).toBe(language);
  });

  test('nothing asked for is English', () => {
    expect(negotiateLanguage(null, null)).toBe('en');
  });

  test('an endless header costs no more than its beginning', () => {
    expect(negotiateLanguage(null, `${'fr,'.repeat(10_000)}he`)).toBe('en');
  });
});
