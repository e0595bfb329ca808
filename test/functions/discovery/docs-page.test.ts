import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { demoPhoto } from '../../../dev/tools/intake/record-transcripts.ts';
import { register } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { describeInBrowser, testBrowser } from '../../support/browser.ts';

// The documentation page in a browser: "Try it out", "Execute", and the example that stands there is answered.

interface Operation {
  operationId?: string;
  tags?: string[];
  responses?: Record<string, unknown>;
}

interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
}

const answeredAsTheyStand = ['getNextQuestion', 'predictDiagnosis', 'checkRedFlags', 'triageCase'] as const;
const tried = [
  ...answeredAsTheyStand,
  'checkImage',
  'createDiagnosis',
  'storeImages',
  'registerUser',
  'logIn',
] as const;

/**
 * The document with the paths of these operations alone, and with the components that they refer to. Only the last one
 * has all of its responses: Swagger UI draws those of an open operation anew at each step.
 */
function abridged(document: Document, operations: readonly string[]): Document {
  const shorter = (operation: Operation): Operation => {
    const { operationId, responses = {} } = operation;
    const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    return {
      ...operation,
      responses: operationId === operations.at(-1) ? responses : Object.fromEntries(good),
    };
  };
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .filter(([, methods]) =>
        Object.values(methods).some(({ operationId = '' }) => operations.includes(operationId)),
      )
      .map(([path, methods]) => [
        path,
        Object.fromEntries(Object.entries(methods).map(([method, each]) => [method, shorter(each)])),
      ]),
  );
  const components: Document['components'] = {
    securitySchemes: document.components['securitySchemes'] ?? {},
  };
  const include = (part: unknown) => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(
      /"#\/components\/(\w+)\/([\w.-]+)/g,
    )) {
      const named = (components[kind] ??= {});
      const component = document.components[kind]?.[name];
      if (named[name] !== undefined || component === undefined) continue;
      named[name] = component;
      include(component);
    }
  };
  include(paths);
  return { ...document, paths, components };
}

describeInBrowser('on the page the example as it stands', async () => {
  const app = await testApp({ ai: 'real' });
  const { access_token: token } = await register(app);
  const picked = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await demoPhoto()) };
  const document = (await (await app.request('/api/openapi.json')).json()) as Document;
  let page: Page;
  beforeAll(async () => {
    page = await (await testBrowser()).newPage();
    await page.goto(`${app.url}/api/docs`);
    // All of it is shown once. The steps below have less: Swagger UI goes through the whole of it for each opened operation.
    await page
      .locator('.opblock-tag')
      .nth(document.tags.length - 1)
      .waitFor();
    const shown = abridged(document, tried);
    await page.route('**/api/openapi.json', (route) => route.fulfill({ json: shown }));
    await page.reload();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.auth-container input').fill(token);
    await page.locator('.auth-container').getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.auth-container').getByRole('button', { name: 'Close' }).click();
  });
  afterAll(() => page.context().close());

  const tagOf = (operation: string) => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    return operations.find(({ operationId }) => operationId === operation)?.tags?.[0] ?? '';
  };

  /** Opens an operation, with what its form shows, for the calling test: the page redraws every open one at each step. */
  async function tryOut(operation: (typeof tried)[number]): Promise<Locator> {
    const tag = page.locator(`.opblock-tag[data-tag="${tagOf(operation)}"]`);
    if ((await tag.getAttribute('data-is-open')) !== 'true') {
      await tag.click();
      onTestFinished(() => tag.click());
    }
    const block = page.locator(`.opblock[id$="-${operation}"]`);
    const summary = block.locator('.opblock-summary-control');
    await summary.click();
    onTestFinished(() => summary.click());
    await block.getByRole('button', { name: 'Try it out' }).click();
    return block;
  }

  async function execute(block: Locator): Promise<{ status: number; text: string }> {
    await block.getByRole('button', { name: 'Execute' }).click();
    const live = block.locator('.live-responses-table .response').first();
    const status = Number((await live.locator('.response-col_status').innerText()).trim().slice(0, 3));
    return { status, text: await live.innerText() };
  }

  test.each(answeredAsTheyStand)('%s gets an answer', async (operation) => {
    const { status, text } = await execute(await tryOut(operation));
    expect({ status, text }).toMatchObject({ status: 200 });
  });

  test('checkImage judges the photo that stands there in base64, and one that is picked', async () => {
    const block = await tryOut('checkImage');
    expect(await execute(block)).toMatchObject({ status: 200, text: expect.stringContaining('isValid') });
    await block.getByLabel('Request content type').selectOption('multipart/form-data');
    await block.locator('input[type=file]').setInputFiles(picked);
    expect(await execute(block)).toMatchObject({ status: 200 });
  });

  test('createDiagnosis takes the questionnaire that stands there, with a photo that is picked', async () => {
    const block = await tryOut('createDiagnosis');
    await block.locator('input[type=file]').setInputFiles(picked);
    expect(await execute(block)).toMatchObject({ status: 200, text: expect.stringContaining('predictions') });
  });

  test('storeImages takes photos that are picked', async () => {
    const block = await tryOut('storeImages');
    await block.locator('input[type=file]').setInputFiles(picked);
    expect(await execute(block)).toMatchObject({ status: 201, text: expect.stringContaining('sha256') });
  });

  test('registerUser and logIn take the accounts that stand there', async () => {
    expect(await execute(await tryOut('registerUser'))).toMatchObject({ status: 201 });
    const block = await tryOut('logIn');
    const { status } = await execute(block);
    // The demo patient of `npm start` is not known to this app; the request itself is right.
    expect(status).toBe(401);
  });
});
