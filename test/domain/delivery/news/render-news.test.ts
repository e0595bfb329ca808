import { describe, expect, test } from 'vitest';
import { renderNewsMail, renderNewsPush } from '../../../../src/domain/delivery/news/render-news.ts';
import { NewsKind } from '../../../../src/domain/announce/news/news.ts';
import { renderSupportRequest } from '../../../../src/domain/delivery/mails/render-mail.ts';
import { Language } from '../../../../src/contract/language.ts';

const link = 'https://portal.example/cases/0198f3c5-0000-7000-8000-000000000001';
const values = { email: 'alice@example.org', until: new Date('2026-12-07T09:30:00Z') };
const render = (kind: NewsKind, language: Language) => renderNewsMail(kind, language, values, link);

/** Words of an illness, a body, a photo or a physician's answer, in any form and language. */
const telling =
  /diagnos|disease|skin|derma|photo|picture|image|rash|cancer|melanom|lesion|treat|אבחנ|אבחון|מחל|עור|צילום|תמונ|תשובת הרופא|تشخيص|مرض|جلد|صورة|طفح|علاج|diagnóst|enferm|piel|foto|imagen|lesión|tratam/i;

describe.each(Language.options)('news in %s', (language) => {
  test.each(NewsKind.options)('%s: says that there is news, where, and nothing else', (kind) => {
    const { subject, text, html } = render(kind, language);
    const push = renderNewsPush(kind, language);
    for (const words of [subject, text.replaceAll(link, ''), push.title, push.body]) {
      expect(words).not.toMatch(telling);
      expect(words).not.toMatch(/[{}<>]/);
      expect(words.trim()).not.toBe('');
    }
    expect(push.title.length).toBeLessThan(60);
    expect(push.body.length).toBeLessThan(120);
    expect(text.split('\n').filter((line) => line.includes('://'))).toEqual([link]);
    const targets = [...html.matchAll(/(?:href|src|url)\s*[=(]\s*"?([^">\s)]+)/g)].map(
      ([, target]) => target,
    );
    expect(targets).toEqual([link, link]);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    const turned = language === 'he' || language === 'ar';
    expect(html).toContain(`<html lang="${language}" dir="${turned ? 'rtl' : 'ltr'}">`);
    // The HTML says what the text says.
    const words = html
      .replace(/<head>.*?<\/head>/s, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ');
    for (const line of text
      .replaceAll(/[\u2068\u2069]/g, '')
      .split('\n\n')
      .slice(0, -1)) {
      expect(words).toContain(
        line.trim().replace(values.email, ` ${values.email} `).replaceAll(/\s+/g, ' ').split(values.email)[0],
      );
    }
  });

  test('a reminder names the day on which the case expires, with its zone', () => {
    expect(render('patient_reminded', language).text).toMatch(/2026[^\n]*\b0?9:30 UTC/);
  });

  test('a request to the support shows the user’s lines as they are, as text, and asks for a reply', () => {
    const lines = 'It <b>hurts</b>.\n\n{email} https://evil.example';
    const { text, html } = renderSupportRequest(
      language,
      { account: 'u-1', email: values.email, case: '–' },
      lines,
      link,
    );
    expect(html).toContain('It &lt;b&gt;hurts&lt;/b&gt;.');
    expect(text).toContain('{email} https://evil.example');
    expect(html).not.toContain('href="https://evil');
    expect(text).not.toContain('-- \n');
  });
});
