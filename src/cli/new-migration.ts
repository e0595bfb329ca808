// npm run db:new -- <what-it-does>: an empty migration under a name that sorts last.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readArguments } from './read-arguments.ts';

const usage = 'usage: npm run db:new -- <what-it-does>     (such as create-something)';

function readName(): string {
  const { positionals } = readArguments(usage, { allowPositionals: true });
  const [name = '', ...further] = positionals;
  if (further.length === 0 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return name;
  throw new Error(`The name is one argument of small letters, digits and single hyphens.\n${usage}`);
}

let name: string;
try {
  name = readName();
} catch (error) {
  console.error((error as Error).message);
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
