import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { dictionaries, type Language } from '../../dev/apps/portal/src/i18n/texts.ts';
import { liveUrlOf } from '../../dev/apps/portal/serve.ts';
import { type Account, register } from './accounts.ts';
import { type TestApp, testApp, type TestAppOptions } from './app.ts';
import { beginIntake, type BegunIntake, type IntakeAnswers, storeIntake } from './begun-intake.ts';
import { testPage } from './browser.ts';
import { EMPTY_PAGE, openBuiltPortal } from './built-portal.ts';
import { sharedOnce } from './cleanup.ts';
import type { FakeAi } from './fake-ai.ts';
import { storeTokens } from './stored-tokens.ts';

export const phone = { width: 360, height: 740 };
/** Playwright's own. */
const usualViewport = { width: 1280, height: 720 };

export interface VisitOptions extends BrowserContextOptions {
  language?: Language;
  path?: string;
  /** Fills what the browser stores, before the portal opens. */
  stored?: (page: Page) => Promise<void>;
}

export interface Visitor {
  page: Page;
  /** The portal's own words in the language of this visitor. */
  words: (typeof dictionaries)['en'];
  button: (name: string) => ReturnType<Page['getByRole']>;
  /**
   * What went wrong so far: requests that leave this machine, errors and warnings in the console, requests without a
   * good answer. The test fails when it has not asked for what there is.
   */
  takeTrouble: () => string[];
}

export interface TestPortal<Ai extends FakeAi | 'real'> {
  url: string;
  app: TestApp<Ai>;
  /** A visitor whose browser has no history; gone with the test. */
  visit: (options?: VisitOptions) => Promise<Visitor>;
  /** The same with an account, signed in. */
  patient: (options?: VisitOptions) => Promise<Visitor & { account: Account }>;
  /** The same within an intake whose questions were answered before. */
  patientWithin: (answers: IntakeAnswers, options?: VisitOptions) => Promise<Visitor & BegunIntake>;
}

type AnyAi = FakeAi | 'real';
const usualPortal = sharedOnce(() => openTestPortal({ ai: 'real' }));

/**
 * The portal in front of a gateway of its own, gone with the file; with the reference AI and no settings the one that
 * all such files of this worker process share.
 */
export async function testPortal<Ai extends AnyAi>(options: TestAppOptions<Ai>): Promise<TestPortal<Ai>> {
  if (options.ai !== 'real' || options.env !== undefined) return await openTestPortal(options);
  return (await usualPortal()) as TestPortal<Ai>;
}

async function openTestPortal<Ai extends AnyAi>(options: TestAppOptions<Ai>): Promise<TestPortal<Ai>> {
  const portal = await openBuiltPortal();
  const env = { PORTAL_URL: portal.url, CORS_ORIGINS: portal.origins.join(','), ...options.env };
  const app = await testApp({ ...options, env });
  portal.serve({ gatewayUrl: app.url, liveUrl: liveUrlOf(env) });

  async function visit({ language = 'en', path = '/', ...given }: VisitOptions = {}): Promise<Visitor> {
    const { viewport, stored, ...others } = given;
    const options = { locale: language, reducedMotion: 'reduce', ...others } as const;
    const page = await testPage(portal.url + EMPTY_PAGE, options);
    await page.setViewportSize(viewport ?? usualViewport);
    page.setDefaultTimeout(30_000);
    const takeTrouble = watch(page, [portal.url, app.url]);
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await showPage(page);
      expect(takeTrouble()).toEqual([]);
    });
    await stored?.(page);
    // After `stored` it is in the history already, with what the portal notes there.
    const address = await page.evaluate<string>('location.href');
    if (address === portal.url + path) await page.reload();
    else await page.goto(portal.url + path);
    await page.locator('h1').waitFor();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    return { page, words: dictionaries[language], button, takeTrouble };
  }

  async function patient(options?: VisitOptions) {
    const account = await register(app);
    const stored = async (page: Page) => {
      await storeTokens(page, account);
      await options?.stored?.(page);
    };
    const visitor = await visit({ ...options, stored });
    await visitor.page.waitForSelector('main button.large');
    return { ...visitor, account };
  }

  async function patientWithin(answers: IntakeAnswers, { language = 'en', ...options }: VisitOptions = {}) {
    const account = await register(app);
    const begun = await beginIntake(app.url, account, language, answers);
    const me = await app.request('/api/auth/me', { token: account.access_token });
    const { user } = (await me.json()) as { user: { uuid: string } };
    const stored = async (page: Page) => {
      await storeTokens(page, account);
      await storeIntake(page, user.uuid, begun.intake);
    };
    const visitor = await visit({ ...options, language, path: '/intake', stored });
    return { ...visitor, ...begun };
  }

  return { url: portal.url, app, visit, patient, patientWithin };
}

/** Before the page is cleared: a failure that comes once in a hundred runs must explain itself. */
async function showPage(page: Page): Promise<void> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 5000 })
    .catch((error: unknown) => String(error));
  console.error(`${page.url()} shows:\n${text}`);
}

/** Notes what no visitor should meet. Requests that the portal itself calls off are none of it. */
function watch(page: Page, origins: readonly string[]): () => string[] {
  const trouble: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      trouble.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!['blob:', 'data:'].includes(protocol) && !origins.includes(origin)) trouble.push(`left: ${origin}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') trouble.push(`${reason}: ${pathOf(request.url())}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) trouble.push(`${response.status()}: ${pathOf(response.url())}`);
  });
  return () => trouble.splice(0);
}

const pathOf = (url: string) => new URL(url).pathname;

/** A clinic whose doctors answer no cases: nothing is stored of an intake but photos. For `stored` of a visit. */
export const withoutCases = async (page: Page): Promise<void> => {
  await page.route('**/config/parameters/portal/features', (route) =>
    route.fulfill({
      headers: { 'access-control-allow-origin': new URL(page.url()).origin },
      json: { branch: 'portal', sub_branch: 'features', version: 1, parameters: { cases: false } },
    }),
  );
};
