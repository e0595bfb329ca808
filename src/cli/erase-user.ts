// npm run erase-user -- --email ann@example.org | --uuid <uuid>: removes everything about a person, and prints what stays
// and why. It cannot be undone. DATABASE_URL names the owner of the tables; STORAGE_… are the app's, and who runs this
// must be allowed to delete blobs there. With FIELD_ENCRYPTION_KEY (and …_PREVIOUS) of the app it also finds messages
// that wait with a sealed address.
import { sql } from 'kysely';
import { type Erased, erasePerson } from '../domain/records/erasure/erase-person.ts';
import { findPerson, type Person } from '../domain/records/erasure/find-person.ts';
import {
  backupsGoneAfterDays,
  deletedImagesGoneAfterDays,
  personTables,
} from '../domain/records/erasure/person-tables.ts';
import { createMemory } from '../lib/app/memory.ts';
import { BlobUnavailable } from '../lib/blob/blob-store.ts';
import type { Db } from '../lib/db/connect.ts';
import { connectOwner } from '../lib/db/connect-owner.ts';
import { createFieldCrypto } from '../lib/crypto/field-crypto.ts';
import { createLog } from '../lib/telemetry/log.ts';
import { explainError, ownerNeeded } from './explain-error.ts';
import { openBlobs } from './open-blobs.ts';
import { parsePerson } from './person-argument.ts';
import { readArguments } from './read-arguments.ts';

const usage = 'usage: npm run erase-user -- --email <address> | --uuid <uuid>';

function readKey(): { email: string } | { uuid: string } {
  const text = { type: 'string' } as const;
  return parsePerson(readArguments(usage, { options: { email: text, uuid: text } }).values, usage);
}

function readSettings() {
  // Empty counts as not set, as for the app.
  const env = (key: string) => process.env[key] || undefined;
  const databaseUrl = env('DATABASE_URL');
  if (databaseUrl === undefined) throw new Error('DATABASE_URL must be set: the owner of the tables.');
  const current = env('FIELD_ENCRYPTION_KEY');
  return {
    databaseUrl,
    blobs: openBlobs(),
    fieldCrypto:
      current === undefined
        ? undefined
        : createFieldCrypto({ current, previous: env('FIELD_ENCRYPTION_KEY_PREVIOUS') }),
  };
}

/** Only the owner may delete AI calls and change events; as the app the command would end half-way. */
async function requireOwner(db: Db): Promise<void> {
  const { rows } = await sql<{ owns: boolean }>`
    SELECT pg_has_role(relowner, 'USAGE') AS owns FROM pg_class WHERE oid = 'public.users'::regclass`.execute(
    db,
  );
  if (rows[0]?.owns !== true) throw new Error(ownerNeeded);
}

/** What was done and what stays, without the address. */
function report({ account }: Person, erased: Erased): string[] {
  const removed = Object.entries({ blobs: erased.blobs, ...erased.removed }).filter(([, count]) => count > 0);
  const { unreadable } = erased.resetRequests;
  const log = personTables['event_logs'];
  return [
    account === undefined
      ? 'There is no account with this address.'
      : `Erased ${account.uuid}, ${account.role} of tenant ${account.tenant}.`,
    'Removed:',
    ...(removed.length === 0 ? ['  nothing'] : removed.map(([what, count]) => `  ${what}: ${count}`)),
    'Kept:',
    ...(account === undefined || log?.rows !== 'blanked'
      ? []
      : [
          `  event_logs: ${erased.events} without ${log.blanks.join(' and ')}, and one of this erasure: ${log.why}`,
        ]),
    ...(erased.cases === 0
      ? []
      : [
          `  request_records: ${erased.cases} submitted cases with answers, messages and photos, without the account: medical records`,
        ]),
    ...(erased.casesReturned === 0
      ? []
      : [
          `  request_records: ${erased.casesReturned} cases of patients of this physician, back in the queue`,
        ]),
    ...(erased.callsOfCases === 0
      ? []
      : [
          `  ml_diagnosis_results: ${erased.callsOfCases} of cases, without the person: part of the medical record`,
        ]),
    ...(unreadable === 0
      ? []
      : [`  outbox_messages: ${unreadable} requests for a reset whose address is sealed: 30 days at most`]),
    `  copies that blob storage keeps of deleted photos: gone after ${deletedImagesGoneAfterDays} days`,
    `  backups of the database: gone after ${backupsGoneAfterDays} days; after a restore run this command again`,
    '  logs of the app: numbers and codes, gone at the end of their retention',
  ];
}

if (import.meta.main) {
  try {
    const key = readKey();
    const { databaseUrl, ...tools } = readSettings();
    const db = connectOwner(databaseUrl);
    try {
      await requireOwner(db);
      const person = await findPerson(db, key);
      if (person === undefined) throw new Error('There is no account with this UUID.');
      const log = createLog((_level, line) => console.error(line), 'warn');
      const clock = { now: () => new Date() };
      console.log(
        report(person, await erasePerson(person, { db, clock, log, memory: createMemory(), ...tools })).join(
          '\n',
        ),
      );
    } finally {
      await db.destroy();
    }
  } catch (error) {
    console.error(
      error instanceof BlobUnavailable
        ? `The photos were not deleted. ${explainError(error)}\nRun the command again.`
        : explainError(error),
    );
    process.exitCode = 1;
  }
}
