// npm run db:new -- <what-it-does>: an empty migration under a name that sorts last.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const name = process.argv[2];
if (name === undefined || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
  console.error('usage: npm run db:new -- create-something');
  process.exit(2);
}
const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').slice(0, 13);
const file = join(import.meta.dirname, '..', '..', 'migrations', `${stamp}-${name}.ts`);
await writeFile(
  file,
  `import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`SELECT 1\`.execute(db);
}
`,
  { flag: 'wx' },
);
console.log(`created ${file}; the rules are in migrations/README.md, and npm run db:schema comes afterwards`);
