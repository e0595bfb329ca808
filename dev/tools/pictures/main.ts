// npm run pictures: draws the diagrams of the documents and takes screenshots of the portal that `npm start` serves. It exceeds
// the limits of a user: LIMIT_AI_CALLS_PER_MINUTE=100 LIMIT_QUESTIONS_PER_MINUTE=1000 npm start
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptArguments } from '../../services/script-arguments.ts';
import { hasChromium, openChromium } from './chromium.ts';
import { takePlaces, takeScreenshots } from './portal-screenshots.ts';
import { renderDiagram } from './render-diagram.ts';

scriptArguments('usage: npm run pictures     (CHROMIUM and PORTAL_PORT in the environment)', {});
const folder = import.meta.dirname;
const demoPhoto = join(folder, '..', '..', '..', '.local', 'demo', 'skin.jpg');
const portalUrl = `http://127.0.0.1:${process.env['PORTAL_PORT'] ?? 5173}`;

for (const source of globSync('*.mmd', { cwd: folder }).toSorted()) {
  const svg = source.replace(/mmd$/, 'svg');
  writeFileSync(join(folder, svg), renderDiagram(readFileSync(join(folder, source), 'utf8')));
  console.log(`dev/tools/pictures/${svg}`);
}

if (!hasChromium()) {
  console.log('No screenshots: no Chromium found. Set CHROMIUM to its path.');
} else if (!(await answers(portalUrl))) {
  console.log(`No screenshots: no portal answers at ${portalUrl}. Run \`npm start\` in another terminal.`);
} else {
  const browser = await openChromium();
  try {
    const written = [
      ...(await takePlaces(browser, portalUrl, folder)),
      ...(await takeScreenshots(browser, portalUrl, demoPhoto, folder)),
    ];
    for (const file of written) console.log(`dev/tools/pictures/${file}`);
  } finally {
    await browser.close();
  }
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
