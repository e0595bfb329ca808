// npm run openapi [-- --check]: writes openapi.json from the endpoints, or says whether it is up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '../endpoints.ts';
import { createOpenApiDocument } from '../lib/openapi/document.ts';

const file = join(import.meta.dirname, '..', '..', 'docs', 'openapi.json');
const text = `${JSON.stringify(createOpenApiDocument(endpoints), null, 2)}\n`;

if (process.argv.includes('--check')) {
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current !== text) {
    console.error('openapi.json is not what the endpoints say: run `npm run openapi`.');
    process.exit(1);
  }
  console.log('openapi.json is up to date.');
} else {
  await writeFile(file, text);
  console.log(`openapi.json written: ${endpoints.length} operations.`);
}
