import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { signIn } from '../../dev/tools/pictures/drive-portal.ts';
import { dictionaries, type Language } from '../../dev/apps/portal/src/i18n/texts.ts';
import { type Account, register } from './accounts.ts';
import { type TestApp, testApp, type TestAppOptions } from './app.ts';
import { testContext } from './browser.ts';
import { openBuiltPortal } from './built-portal.ts';
import { shared } from './cleanup.ts';
import type { FakeAi } from './fake-ai.ts';

export const phone = { width: 360, height: 740 };
/** Playwright's own. */
const usualViewport = { width: 1280, height: 720 };

export interface VisitOptions extends BrowserContextOptions {
  language?: Language;
  path?: string;
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
  /** Somebody who opens the portal in a browser without a history; gone with the test. */
  visit: (options?: VisitOptions) => Promise<Visitor>;
  /** The same with an account, signed in. */
  patient: (options?: VisitOptions) => Promise<Visitor & { account: Account }>;
}

type AnyAi = FakeAi | 'real';
let usual: Promise<TestPortal<'real'>> | undefined;

/**
 * The portal in front of a gateway of its own, gone with the file; with the reference AI and no settings the one that
 * all such files of this worker process share.
 */
export async function testPortal<Ai extends AnyAi>(options: TestAppOptions<Ai>): Promise<TestPortal<Ai>> {
  if (options.ai !== 'real' || options.env !== undefined) return await openTestPortal(options);
  usual ??= shared(() => openTestPortal({ ai: 'real' }));
  return (await usual) as TestPortal<Ai>;
}

async function openTestPortal<Ai extends AnyAi>(options: TestAppOptions<Ai>): Promise<TestPortal<Ai>> {
  const portal = await openBuiltPortal();
  const env = { PORTAL_URL: portal.url, CORS_ORIGINS: portal.origins.join(','), ...options.env };
  const app = await testApp({ ...options, env });
  portal.serve(app.url);

  async function visit({ language = 'en', path = '/', ...given }: VisitOptions = {}): Promise<Visitor> {
    const { viewport, ...others } = given;
    const context = await testContext(portal.url, { locale: language, reducedMotion: 'reduce', ...others });
    const page = await context.newPage();
    await page.setViewportSize(viewport ?? usualViewport);
    page.setDefaultTimeout(15_000);
    const takeTrouble = watch(page, [portal.url, app.url]);
    onTestFinished(async () => {
      await page.close();
      expect(takeTrouble()).toEqual([]);
    });
    await page.goto(portal.url + path);
    await page.locator('h1').waitFor();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    return { page, words: dictionaries[language], button, takeTrouble };
  }

  async function patient(options?: VisitOptions) {
    const [account, visitor] = await Promise.all([register(app), visit(options)]);
    await signIn(visitor.page, account);
    return { ...visitor, account };
  }

  return { url: portal.url, app, visit, patient };
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
