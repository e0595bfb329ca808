import { texts } from '../../i18n/language.ts';

/** What a message asks for, each thing once. Codes have what they are about after a colon. */
export function askedWords(codes: readonly string[]): string[] {
  const { asked } = texts.value.cases;
  const known = (code: string): code is keyof typeof asked => code in asked;
  const words = codes.map((code) => {
    const [kind = ''] = code.split(':');
    return asked[known(kind) ? kind : 'other'];
  });
  return [...new Set(words)];
}
