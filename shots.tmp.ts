import { chromium } from 'playwright-core';
import { chromiumPath } from '/work/helpers/office/dev/tools/pictures/chromium.ts';
const base = 'http://127.0.0.1:5271';
const [,, lang = 'en', size = '1440x900', scheme = 'light', ...paths] = process.argv;
const [w, h] = size.split('x').map(Number);
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
const context = await browser.newContext({ locale: lang, viewport: { width: w, height: h }, colorScheme: scheme as 'light' });
const page = await context.newPage();
page.on('console', (m) => { if (['error','warning'].includes(m.type())) console.log('CONSOLE', m.text()); });
page.on('pageerror', (e) => console.log('PAGEERROR', e.message));
await page.goto(base + '/?lang=' + lang);
await page.locator('input[type=email]').fill('admin@dermagate.example');
await page.locator('input[type=password]').fill('demo-admin-pass');
await page.locator('main button[type=submit]').click();
await page.locator('.places').waitFor({timeout: 60000});
for (const p of paths) {
  let target = p;
  if (p.startsWith('/users/@')) { await page.goto(base + '/users'); await page.locator('tbody a').filter({hasText: p.slice(8)}).first().click(); target=''; }
  if (p.startsWith('/physicians/@')) { await page.goto(base + '/physicians'); await page.locator('tbody a').first().click(); target=''; }
  if (p.startsWith('/groups/@')) { await page.goto(base + '/groups'); await page.locator('tbody a').first().click(); target=''; }
  if (target) await page.goto(base + target);
  await page.waitForTimeout(1500);
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  console.log(p, 'wider by', wide);
  await page.screenshot({ path: `/tmp/shots/${lang}-${size}-${scheme}-${p.replace(/[^a-z]+/g,'_')}.png`, fullPage: size !== '1440x900' });
}
await browser.close();
