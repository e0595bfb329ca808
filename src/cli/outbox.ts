// npm run outbox -- list | retry <id> … | retry --all-dead: messages (mails) that were given up after ten tries, in the
// last 30 days (domain/records/retention/sweep.ts).
// DATABASE_URL is the app's or the owner's; the command does what the app's role may do.
import { isObsolete, type Requeued, requeueMessage } from '../domain/delivery/mails/requeue-message.ts';
import { systemClock } from '../contract/clock.ts';
import { connectDatabase, type Db } from '../lib/db/connect.ts';
import { deadMessages } from '../lib/outbox/dead-messages.ts';
import { explainError } from './explain-error.ts';
import { readArguments } from './read-arguments.ts';

const usage = 'usage: npm run outbox -- list | retry <id> … | retry --all-dead';

type Command = { name: 'list' } | { name: 'retry'; ids: readonly number[] | undefined };

function readCommand(): Command {
  const { values, positionals } = readArguments(usage, {
    options: { 'all-dead': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [name, ...ids] = positionals;
  const all = values['all-dead'];
  if (name === 'list' && ids.length === 0 && !all) return { name };
  if (name === 'retry' && all && ids.length === 0) return { name, ids: undefined };
  if (name === 'retry' && !all && ids.length > 0 && ids.every((id) => /^[1-9]\d{0,14}$/.test(id))) {
    return { name, ids: ids.map(Number) };
  }
  throw new Error(usage);
}

/** Kind, tenant, tries and a word about the last error: nothing of what a message carries. */
async function list(db: Db): Promise<void> {
  let count = 0;
  for await (const message of deadMessages(db)) {
    const obsolete = await isObsolete(db, message, systemClock.now());
    const { id, consumer, topic, tenant = '-', tries, lastErrorCode, deadAt } = message;
    console.log(
      [
        `${id}  ${consumer} ${topic}  tenant ${tenant}  ${tries} tries  ${lastErrorCode ?? '-'}`,
        `dead since ${deadAt.toISOString()}${obsolete ? '  expired: is not sent again' : ''}`,
      ].join('  '),
    );
    count += 1;
  }
  console.log(
    count === 0 ? 'No message is dead.' : `${count} dead. To try again: npm run outbox -- retry <id>`,
  );
}

const outcomes: Record<Requeued, string> = {
  requeued: 'due again',
  obsolete: 'expired, is not sent again',
  not_dead: 'not dead any more',
};

async function retry(db: Db, ids: readonly number[] | undefined): Promise<void> {
  const rest = new Set(ids);
  let due = 0;
  for await (const message of deadMessages(db, ids)) {
    const outcome = await requeueMessage(db, message, systemClock.now());
    if (outcome === 'requeued') due += 1;
    rest.delete(message.id);
    console.log(`${message.id}  ${message.topic}: ${outcomes[outcome]}`);
  }
  for (const id of rest)
    console.log(`${id}  no dead message: it was delivered, waits for its next try, or never was`);
  console.log(`${due} due again: the app takes them within a minute.`);
}

async function run(command: Command): Promise<void> {
  const url = process.env['DATABASE_URL'];
  if (!url) throw new Error('DATABASE_URL must be set: the database whose messages are meant.');
  const { db } = connectDatabase({ url, poolMax: 1, onIdleError: () => undefined });
  try {
    await (command.name === 'list' ? list(db) : retry(db, command.ids));
  } finally {
    await db.destroy();
  }
}

if (import.meta.main) {
  try {
    await run(readCommand());
  } catch (error) {
    console.error(explainError(error));
    process.exitCode = 1;
  }
}
