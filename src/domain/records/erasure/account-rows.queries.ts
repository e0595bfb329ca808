import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import { affected } from './affected.queries.ts';
import type { Account } from './person.queries.ts';
import { type Deleted, personTables } from './person-tables.ts';

/** Rows that went, by table. */
export type Removed = Record<string, number>;

/** Locks an account against every use, also by the foreign keys of rows that name it. */
export async function lockForErasure(tx: Tx, account: Account): Promise<void> {
  await sql`SELECT FROM users WHERE id = ${account.id} FOR UPDATE`.execute(tx);
}

/** Deletes the rows that `personTables` gives to a person, in its order, those of the account last. */
export async function deleteRowsOf(tx: Tx, account: Account): Promise<Removed> {
  const removed: Removed = {};
  for (const [table, plan] of Object.entries(personTables)) {
    if (plan.rows !== 'deleted') continue;
    removed[table] = await affected(
      tx,
      sql`DELETE FROM ${sql.table(table)} WHERE tenant_id = ${account.tenantId} AND ${theirs(account, plan)}`,
    );
  }
  return removed;
}

/**
 * Invitations of an address, with the mails about them, and links to verify it, also those of an account that has lost it to an
 * invitation; in the transaction of their tenant. In this order, in which redeeming an invitation locks them.
 */
export async function eraseTracesOfAddress(tx: Tx, tenantId: number, email: string): Promise<Removed> {
  const mails = await affected(
    tx,
    sql`DELETE FROM outbox_messages WHERE tenant_id = ${tenantId} AND payload ->> 'invitation_uuid' IN
      (SELECT uuid::text FROM invitations WHERE tenant_id = ${tenantId} AND email = ${email})`,
  );
  const invitations = await affected(
    tx,
    sql`DELETE FROM invitations WHERE tenant_id = ${tenantId} AND email = ${email}`,
  );
  const links = await affected(
    tx,
    sql`DELETE FROM email_verification_tokens WHERE tenant_id = ${tenantId} AND email = ${email}`,
  );
  return { invitations, outbox_messages: mails, email_verification_tokens: links };
}

function theirs(account: Account, { column, value }: Deleted): RawBuilder<boolean> {
  const named = sql.ref(column);
  switch (value) {
    case 'id':
      return sql`${named} = ${account.id}`;
    case 'uuid':
      return sql`${named} = ${account.uuid}`;
    case 'patient':
      return sql`${named} IN (SELECT id FROM patients WHERE account_user_id = ${account.id})`;
    case 'profile':
      return sql`${named} IN (SELECT id FROM physicians WHERE user_id = ${account.id})`;
    case 'payload':
      return isAbout(account);
  }
}

/** Messages to the person, and those about invitations that the person sent. */
function isAbout({ id }: Account): RawBuilder<boolean> {
  return sql<boolean>`(payload ->> 'user_id' = ${String(id)} OR payload ->> 'invitation_uuid' IN
    (SELECT uuid::text FROM invitations WHERE invited_by = ${id}))`;
}

/** `event_logs` has no policy for UPDATE, so that rows change only through its partitions, by their owner. */
export async function blankEvents(tx: Tx, { id, uuid, tenantId }: Account): Promise<number> {
  const plan = personTables['event_logs'];
  if (plan?.rows !== 'blanked') throw new Error('event_logs are blanked');
  const nothing = sql.join(plan.blanks.map((column) => sql`${sql.ref(column)} = NULL`));
  const { rows: partitions } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
    WHERE inhparent = 'public.event_logs'::regclass`.execute(tx);
  // What a request without a session caused, such as a reset that was asked for, names the account as its subject.
  const theirs = sql`(actor_user_id = ${id} OR (actor_user_id IS NULL AND subject_uuid = ${uuid}))`;
  let events = 0;
  for (const { name } of partitions) {
    events += await affected(
      tx,
      sql`UPDATE ${sql.table(name)} SET ${nothing} WHERE tenant_id = ${tenantId} AND ${theirs}`,
    );
  }
  return events;
}

/** A call that belongs to a case is part of the medical record, which outlives the account. */
export async function detachFromCases(tx: Tx, userId: number): Promise<number> {
  return await affected(
    tx,
    sql`UPDATE ml_diagnosis_results SET user_id = NULL WHERE user_id = ${userId} AND case_uuid IS NOT NULL`,
  );
}
