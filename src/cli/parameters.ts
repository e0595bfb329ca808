// npm run parameters -- set legal/consent version '"2"' [--tenant <slug>] [--visibility public]: sets a parameter of a
// tenant, or without --tenant the platform's default for all. The value is JSON, or - for standard input. DATABASE_URL is
// the owner's.
import { readFileSync } from 'node:fs';
import { setParameter } from '../domain/catalogue/parameter-sets/set-parameter.ts';
import { Problem } from '../contract/problem.ts';
import type { Db } from '../lib/db/connect.ts';
import { connectOwner } from '../lib/db/connect-owner.ts';
import { explainError } from './explain-error.ts';
import { parseStrictJson, parseStrictJsonText } from '../lib/json/strict-json.ts';
import { readArguments } from './read-arguments.ts';

const usage =
  'usage: npm run parameters -- set <branch>/<sub_branch> <key> <JSON | -> [--tenant <slug>] [--visibility <who>]';
const visibilities = ['public', 'authenticated', 'staff', 'internal'] as const;

function readCommand() {
  const text = { type: 'string' } as const;
  const options = { tenant: text, visibility: text } as const;
  // A number below zero is a value and no option; a space before it is none of its JSON.
  const args = process.argv.slice(2).map((argument) => (/^-\d/.test(argument) ? ` ${argument}` : argument));
  const { values, positionals } = readArguments(usage, { args, options, allowPositionals: true });
  const [command, name, key, value, ...rest] = positionals;
  const visibility = visibilities.find((each) => each === values.visibility);
  const isComplete = name !== undefined && key !== undefined && value !== undefined && rest.length === 0;
  if (command !== 'set' || !isComplete || visibility !== values.visibility) throw new Error(usage);
  return { tenant: values.tenant, visibility, name, key, value: parseValue(value) };
}

/** As strictly as the body of a request: a file in another charset would publish a consent that no patient can read. */
function parseValue(text: string): unknown {
  try {
    return text === '-' ? parseStrictJson(readFileSync(0)) : parseStrictJsonText(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = `The value is not JSON that can be stored. ${error.detail ?? ''} A text stands in quotes: '"2"'.`;
    throw new Error(message, { cause: error });
  }
}

async function findTenant(db: Db, slug: string): Promise<number> {
  const row = await db.selectFrom('tenants').select('id').where('slug', '=', slug).executeTakeFirst();
  if (row === undefined) throw new Error(`There is no tenant ${slug}.`);
  return row.id;
}

if (import.meta.main) {
  try {
    const { tenant, ...change } = readCommand();
    const databaseUrl = process.env['DATABASE_URL'];
    if (!databaseUrl) throw new Error('DATABASE_URL must be set.');
    const db = connectOwner(databaseUrl);
    try {
      const tenantId = tenant === undefined ? undefined : await findTenant(db, tenant);
      const version = await setParameter(db, { ...change, tenantId }, new Date());
      console.log(`${change.name}/${change.key} of ${tenant ?? 'the platform'}: version ${version}`);
    } finally {
      await db.destroy();
    }
  } catch (error) {
    console.error(explainError(error));
    process.exitCode = 1;
  }
}
