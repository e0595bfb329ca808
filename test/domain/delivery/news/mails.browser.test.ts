import { expect, test } from 'vitest';
import type { NewsKind } from '../../../../src/domain/announce/news/news.ts';
import { renderNewsMail } from '../../../../src/domain/delivery/news/render-news.ts';
import { renderMail } from '../../../../src/domain/delivery/mails/render-mail.ts';
import { Language } from '../../../../src/contract/language.ts';
import { findViolations } from '../../../support/axe.ts';
import { describeInBrowser, testPage } from '../../../support/browser.ts';
import { saveScreenshot } from '../../../support/screenshot.ts';

// Mails as a person reads them: on a telephone, by day and by night, in each direction.

const link = 'https://portal.example/cases/0198f3c5-0000-7000-8000-000000000001';
const email = 'somebody.with.a.long.name@mail.clinic.example.org';
const until = new Date('2026-12-07T09:30:00Z');
const kinds = ['patient_reminded', 'flags_found'] as const satisfies NewsKind[];

describeInBrowser('a mail', () => {
  test.each(Language.options)(
    'in %s can be read in light and dark, and where a program drops its styles',
    async (language) => {
      const page = await testPage('about:blank', { viewport: { width: 360, height: 720 } });
      const mails = [
        ...kinds.map((kind) => [kind, renderNewsMail(kind, language, { email, until }, link).html] as const),
        ['password_reset', renderMail('password_reset', language, { email, until }, link).html] as const,
      ];
      const found: string[] = [];
      for (const [name, html] of mails) {
        for (const scheme of ['light', 'dark', 'stripped'] as const) {
          await page.emulateMedia({ colorScheme: scheme === 'light' ? 'light' : 'dark' });
          await page.setContent(html);
          // Some programs keep inline styles only, and paint the page as they like.
          if (scheme === 'stripped') {
            await page.evaluate(
              `document.querySelector('style').remove(); document.body.style.background = '#000'`,
            );
          }
          const violations = await findViolations(page, {
            type: 'rule',
            values: ['color-contrast', 'link-in-text-block', 'html-has-lang', 'document-title', 'link-name'],
          });
          found.push(...violations.map(({ id, nodes }) => `${name} ${scheme} ${id} ${nodes[0]?.html}`));
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          if (overflow > 0) found.push(`${name} ${scheme} overflows by ${overflow}`);
          const button = await page.locator('.button').boundingBox();
          const isRight = (button?.x ?? 0) + (button?.width ?? 0) > 300 && (button?.x ?? 0) > 60;
          if (isRight !== ['he', 'ar'].includes(language))
            found.push(`${name} ${scheme} begins at the wrong side`);
          await saveScreenshot(page, `mail-${name}-${scheme}`);
        }
      }
      expect(found).toEqual([]);
      const dark = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('div.page')).backgroundColor`,
      );
      expect(dark).toBe('rgb(255, 255, 255)');
    },
  );
});
