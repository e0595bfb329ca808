// npm run db:prepare: what a deployment to Azure needs of PostgreSQL besides the migrations. DATABASE_URL names the
// maintenance database `postgres`, as the server's Entra administrator, with a token as the password. Running it again
// changes nothing.
//   create --database <name>                     before the migrations
//   grant --role <name> --object-id <uuid>       after them: lets the app's identity in, as dermagate_app
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { explainError } from './explain-error.ts';
import { readArguments } from './read-arguments.ts';

const usage = `usage: npm run db:prepare -- create --database <name>
       npm run db:prepare -- grant --role <name> --object-id <object id of the identity>`;

/**
 * Creates `database` where it is missing. By SQL and not by ARM, so that the role that migrates owns it and the
 * schema `public`.
 * @returns whether it was missing.
 */
export async function createDatabase(client: pg.Client, database: string): Promise<boolean> {
  const known = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (known.rowCount !== 0) return false;
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  return true;
}

/**
 * Lets a managed identity log in as `role` and become dermagate_app, which the migrations have created. The role
 * inherits nothing: without becoming dermagate_app it can read no table.
 * https://learn.microsoft.com/azure/postgresql/security/security-manage-entra-users
 * @returns whether the role was missing.
 */
export async function grantAppRole(client: pg.Client, role: string, objectId: string): Promise<boolean> {
  const known = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (known.rowCount === 0) {
    // By object id: two identities of a tenant may have the same name.
    await client.query("SELECT pgaadauth_create_principal_with_oid($1, $2, 'service', false, false)", [
      role,
      objectId,
    ]);
  }
  await client.query(`GRANT dermagate_app TO ${client.escapeIdentifier(role)} WITH INHERIT FALSE, SET TRUE`);
  return known.rowCount === 0;
}

/** Tries again for a while: a firewall rule or an administrator takes a moment to act. */
async function connect(connectionString: string, waitMs: number): Promise<pg.Client> {
  // The driver reads any text as an address: nothing that comes to be reachable by waiting.
  void new URL(connectionString);
  const until = performance.now() + waitMs;
  for (;;) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (performance.now() > until) throw error;
      console.log('waiting for PostgreSQL to let us in …');
      await sleep(5000);
    }
  }
}

const isObjectId = (text: string | undefined): text is string =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text ?? '');

function readCommand() {
  const text = { type: 'string' } as const;
  const options = { database: text, role: text, 'object-id': text };
  const { values, positionals } = readArguments(usage, { options, allowPositionals: true });
  const { database, role, 'object-id': objectId } = values;
  const [command, ...rest] = positionals;
  if (command === 'create' && database && rest.length === 0) return { database };
  if (command === 'grant' && role && rest.length === 0 && isObjectId(objectId)) return { role, objectId };
  throw new Error(usage);
}

if (import.meta.main) {
  try {
    const command = readCommand();
    const databaseUrl = process.env['DATABASE_URL'];
    if (!databaseUrl) throw new Error('DATABASE_URL is not set: it names the maintenance database postgres.');
    const client = await connect(databaseUrl, Number(process.env['DERMAGATE_WAIT_MS'] ?? 120_000));
    try {
      if (command.database !== undefined) {
        const made = await createDatabase(client, command.database);
        console.log(`database ${command.database} ${made ? 'created' : 'is there'}`);
      } else {
        const made = await grantAppRole(client, command.role, command.objectId);
        console.log(`role ${command.role} ${made ? 'created' : 'is there'} and may become dermagate_app`);
      }
    } finally {
      await client.end();
    }
  } catch (error) {
    console.error(explainError(error, 'DATABASE_URL must name the Entra administrator of the server.'));
    process.exitCode = 1;
  }
}
