// npm run outbox -- list | retry <id> … | retry --all-dead: messages (mails) that were given up after ten tries, in the
// last 30 days (domain/retention/sweep.ts).
// DATABASE_URL is the app's or the owner's; the command does what the app's role may do.
import { parseArgs } from 'node:util';
import { openAudit } from '../domain/platform/events/record-event.ts';
import { isObsoleteMail } from '../domain/platform/mails/is-obsolete-mail.ts';
import { systemActor } from '../contract/actor.ts';
import { auditEvents } from '../contract/audit.ts';
import { systemClock } from '../contract/clock.ts';
import { connectDatabase, type Db, type Tx } from '../lib/db/connect.ts';
import { inTenant } from '../lib/db/tenant.ts';
import { type DeadMessage, deadMessages, reviveMessage } from '../lib/outbox/dead-messages.ts';
import { explainError } from './explain-error.ts';

const usage = 'usage: npm run outbox -- list | retry <id> … | retry --all-dead';

/** PostgreSQL counts tenants from 1, so this names none. */
const noTenant = 0;

type Command = { name: 'list' } | { name: 'retry'; ids: readonly number[] | undefined };

function readCommand(): Command {
  const { values, positionals } = parseArgs({
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

const inTenantOf = <T>(db: Db, { tenantId }: DeadMessage, work: (tx: Tx) => Promise<T>) =>
  inTenant(db, tenantId ?? noTenant, work);

/** Kind, tenant, tries and a word about the last error: nothing of what a message carries. */
async function list(db: Db): Promise<void> {
  let count = 0;
  for await (const message of deadMessages(db)) {
    const obsolete = await inTenantOf(db, message, (tx) => isObsoleteMail(tx, message, systemClock.now()));
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

type Retried = 'due again' | 'expired, is not sent again' | 'not dead any more';

async function retry(db: Db, ids: readonly number[] | undefined): Promise<void> {
  const rest = new Set(ids);
  let due = 0;
  for await (const message of deadMessages(db, ids)) {
    const outcome = await retryMessage(db, message);
    if (outcome === 'due again') due += 1;
    rest.delete(message.id);
    console.log(`${message.id}  ${message.topic}: ${outcome}`);
  }
  for (const id of rest)
    console.log(`${id}  no dead message: it was delivered, waits for its next try, or never was`);
  console.log(`${due} due again: the app takes them within a minute.`);
}

async function retryMessage(db: Db, message: DeadMessage): Promise<Retried> {
  return await inTenantOf(db, message, async (tx) => {
    const now = systemClock.now();
    if (await isObsoleteMail(tx, message, now)) return 'expired, is not sent again';
    if (!(await reviveMessage(tx, message.id, now))) return 'not dead any more';
    const { id, topic, tries, lastErrorCode } = message;
    const request = { id: 'outbox', ipPrefix: undefined };
    await openAudit(auditEvents.outboxMessageRetried, systemActor, request).succeeded(tx, {
      tenantId: message.tenantId,
      detail: { message: id, topic, tries, last_error: lastErrorCode, by: 'command line' },
    });
    return 'due again';
  });
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
