// npm run deactivate-user -- --email ann@example.org | --uuid <uuid> [--activate]: ends all sessions of an account, withdraws
// unused invitations to it and from it, uses up its links and refuses its logins until `--activate`. Its data stays; the cases
// of a physician go back to the queue. DATABASE_URL is the app's or the owner's; the command does what the app's role may do.
import { setUserActive } from '../domain/membership/users/set-user-active.ts';
import { findPerson } from '../domain/records/erasure/find-person.ts';
import { createMemory } from '../lib/app/memory.ts';
import { connectDatabase } from '../lib/db/connect.ts';
import { createLog } from '../lib/telemetry/log.ts';
import { explainError } from './explain-error.ts';
import { parsePerson } from './person-argument.ts';
import { readArguments } from './read-arguments.ts';

const usage = 'usage: npm run deactivate-user -- --email <address> | --uuid <uuid> [--activate]';

function readCommand() {
  const text = { type: 'string' } as const;
  const options = { email: text, uuid: text, activate: { type: 'boolean', default: false } } as const;
  const { activate, ...person } = readArguments(usage, { options }).values;
  return { activate, key: parsePerson(person, usage) };
}

if (import.meta.main) {
  try {
    const { activate, key } = readCommand();
    const databaseUrl = process.env['DATABASE_URL'];
    if (!databaseUrl) throw new Error('DATABASE_URL must be set.');
    const { db } = connectDatabase({ url: databaseUrl, poolMax: 2, onIdleError: () => undefined });
    try {
      const account = (await findPerson(db, key))?.account;
      if (account === undefined) {
        throw new Error(`There is no account with this ${'email' in key ? 'address' : 'UUID'}.`);
      }
      const log = createLog((_level, line) => console.error(line), 'warn');
      const source = { db, clock: { now: () => new Date() }, log, memory: createMemory() };
      const { changed, ...done } = await setUserActive(source, account, activate);
      const state = `${changed ? '' : 'already '}${activate ? 'active' : 'inactive'}`;
      const ended = activate
        ? ''
        : `, ${done.sessionsEnded} sessions ended, ${done.casesReturned} cases returned, ` +
          `${done.invitationsWithdrawn} invitations withdrawn`;
      console.log(`${account.uuid}, ${account.role} of tenant ${account.tenant}: ${state}${ended}`);
    } finally {
      await db.destroy();
    }
  } catch (error) {
    console.error(explainError(error));
    process.exitCode = 1;
  }
}
