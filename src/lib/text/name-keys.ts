/** Letters that stand for another one at the end of a word or in another spelling, and those without a decomposition. */
const sameLetters: Readonly<Record<string, string>> = {
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

/** Apostrophes, geresh and gershayim are part of a word; the tatweel only stretches it. */
const withinWords = /['’‘ʼ`´׳״"ـ\u200c\u200d]/gu;
const longestKey = 80;

/**
 * The words of a name as they are stored and looked up: what people write in different ways is the same. Without case,
 * accents, niqqud and tashkeel, with final letters as their ordinary ones, in compatible forms.
 */
export function nameKeys(...names: readonly (string | null | undefined)[]): string[] {
  const words = names.flatMap((name) => (name ?? '').split(/[^\p{L}\p{M}\p{N}'’‘ʼ`´׳״"\u200c\u200d]+/u));
  return [...new Set(words.map(fold).filter((word) => word !== ''))];
}

function fold(word: string): string {
  const plain = word
    .normalize('NFKD')
    .toLowerCase()
    // Some small letters have a decomposition that their capitals lack.
    .normalize('NFKD')
    .replaceAll(withinWords, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  const folded = Array.from(plain, (letter) => sameLetters[letter] ?? letter);
  return folded.slice(0, longestKey).join('').slice(0, longestKey);
}
