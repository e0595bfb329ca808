import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type MailKind,
  type MailValues,
  renderMail,
} from '../../../../src/domain/delivery/mails/render-mail.ts';

type Tree = string | boolean | Tree[] | { [key: string]: Tree };

const folder = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'src',
  'domain',
  'delivery',
  'mails',
  'messages',
);
const files = readdirSync(folder).toSorted();
const read = (file: string) =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')) as { [key: string]: Tree };
const english = read('en.json');

const languages = ['en', 'he', 'ar', 'es'] as const;
const until = new Date('2026-03-04T15:06:00Z');
const values: MailValues = {
  password_reset: { email: 'alice@example.org', until },
  email_verification: { email: 'alice@example.org', until },
  invitation: { email: 'alice@example.org', tenant: 'Clinic', until },
  invitation_of_account: { email: 'alice@example.org', tenant: 'Clinic' },
  invitation_of_inactive: { email: 'alice@example.org', tenant: 'Clinic' },
  password_changed: { email: 'alice@example.org', changed: until },
};
const kinds = Object.keys(values) as MailKind[];
const link = 'https://portal.example/reset-password#token=dgp_abc';
const render = (kind: MailKind, language: (typeof languages)[number], at = link) =>
  renderMail(kind, language, values[kind], at);

/** Every text with its place in the file. */
function texts(tree: Tree, path = ''): [path: string, text: string][] {
  if (typeof tree === 'string') return [[path, tree]];
  if (typeof tree === 'boolean') return [];
  const entries = Array.isArray(tree) ? tree.entries() : Object.entries(tree);
  return [...entries].flatMap(([key, value]) => texts(value, `${path}/${key}`));
}

const places = (text: string) => (text.match(/\{[^}]*\}/g) ?? []).toSorted();

describe('the texts', () => {
  test('are there in all four languages and no other', () => {
    expect(files).toEqual(['ar.json', 'en.json', 'es.json', 'he.json']);
  });

  test.each(files)('of %s have the parts and the placeholders of the English ones', (file) => {
    const facts = (tree: Tree) => texts(tree).map(([path, text]) => [path, places(text)]);
    expect(facts(read(file))).toEqual(facts(english));
  });

  test.each(files.filter((file) => file !== 'en.json'))(
    'of %s are translated, and said to be by machine',
    (file) => {
      const mine = read(file);
      expect(mine['_machineDrafted']).toBe(true);
      const same = texts(mine).filter(([path, text]) =>
        texts(english).some(([at, en]) => at === path && en === text),
      );
      expect(same).toEqual([]);
      for (const [path, text] of texts(mine)) expect(text.trim(), path).not.toBe('');
    },
  );

  test.each(['he.json', 'ar.json'])('of %s begin in their own script, which is what turns a line', (file) => {
    const script = file === 'he.json' ? /^\{?\P{L}*\p{Script=Hebrew}/u : /^\P{L}*\p{Script=Arabic}/u;
    for (const [path, text] of texts(read(file)))
      expect(text.replaceAll(/\{[^}]*\}/g, ''), path).toMatch(script);
  });
});

describe.each(languages)('a mail in %s', (language) => {
  test.each(kinds)('%s: has no place left open and the same words in text and HTML', (kind) => {
    const { subject, text, html } = render(kind, language);
    expect(subject).not.toMatch(/[{}\n]/);
    expect(text).not.toMatch(/[{}]/);
    expect(html.replace(/style="[^"]*"|<style>.*?<\/style>/g, '')).not.toMatch(/[{}]/);
    for (const value of ['alice@example.org', ...(kind === 'invitation' ? ['Clinic'] : [])]) {
      expect(text).toContain(value);
      expect(html).toContain(value);
    }
  });

  test.each(kinds)('%s: the link stands alone on a line and is the only one', (kind) => {
    const { text, html } = render(kind, language);
    expect(text.split('\n').filter((line) => line.includes('://'))).toEqual([link]);
    const targets = [...html.matchAll(/(?:href|src|url)\s*[=(]\s*"?([^">\s)]+)/g)].map(
      ([, target]) => target,
    );
    expect(targets).toEqual([link, link]);
  });

  test('says direction and language', () => {
    const { html } = render('invitation', language);
    const direction = language === 'he' || language === 'ar' ? 'rtl' : 'ltr';
    expect(html).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(html).toMatch(/<p dir="ltr"[^>]*><a [^>]*href=/);
    expect(html).toContain('<bdi>alice@example.org</bdi>');
  });

  test('names the time with its zone, on a 24-hour clock, in digits that everybody reads', () => {
    const { text } = render('password_reset', language);
    expect(text).toMatch(/2026[^\n]*15:06 UTC/);
  });
});

test('in lines from right to left an address is isolated, in others nothing invisible is added', () => {
  expect(render('password_reset', 'he').text).toContain('\u2068alice@example.org\u2069');
  expect(render('password_reset', 'ar').text).toContain('\u2068alice@example.org\u2069');
  expect(render('password_reset', 'en').text + render('password_reset', 'es').text).not.toMatch(
    /[\u2066-\u2069]/,
  );
});

test('what people have named is text, never markup, and cannot fake a line of its own', () => {
  const tenant = '<a href="https://evil.example">Clinic</a>\n\nhttps://evil.example\u2028{email}';
  const { text, html } = renderMail('invitation', 'en', { ...values.invitation, tenant }, link);
  expect(html).not.toContain('href="https://evil');
  expect(html).toContain('&lt;a href=&quot;https://evil.example&quot;&gt;');
  expect(text.split(/[\n\u2028]/).filter((line) => line.startsWith('https://'))).toEqual([link]);
  expect(text).toContain('{email}');
  const turning = renderMail(
    'invitation',
    'en',
    { ...values.invitation, tenant: 'Cli\u202enic\u2067' },
    link,
  );
  expect(turning.text + turning.html).not.toMatch(/\p{Bidi_Control}/u);
});
