import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../lib/db/connect.ts';
import { type AccountWork, handBackCases } from '../../membership/users/hand-back-cases.ts';
import { blobsOf } from './erase-blobs.ts';
import { eraseCases } from './erase-cases.ts';
import { affected } from './affected.ts';
import type { Account } from './find-person.ts';
import { type Deleted, personTables } from './person-tables.ts';

/** Rows that went, by table. */
export type Removed = Record<string, number>;

export interface ErasedRows {
  removed: Removed;
  /** Events of the person that stay, without network and session. */
  events: number;
  /** Submitted cases that stay, without the account. */
  cases: number;
  /** Reservations, holds and leases of a physician that went back to the queue. */
  casesReturned: number;
  /** AI calls that belong to a case and stay, without the person. */
  callsOfCases: number;
  /** Names of the blobs that the removed images had. */
  blobs: string[];
}

/**
 * Removes an account with all that hangs on it, in the tenant's transaction. The account is locked first and goes last:
 * a request that is still under way finds no account to record anything for, its foreign key fails.
 *
 * @param tx of the role that owns the tables: the app itself may neither delete AI calls nor change events.
 */
export async function eraseAccount(tx: Tx, account: Account, work: AccountWork): Promise<ErasedRows> {
  await sql`SELECT FROM users WHERE id = ${account.id} FOR UPDATE`.execute(tx);
  // First: a case that no longer names its physician would wait for that physician for ever.
  const casesReturned = await handBackCases(tx, work, account.id);
  const events = await blankEvents(tx, account);
  const cases = await eraseCases(tx, account);
  const callsOfCases = await detachFromCases(tx, account.id);
  const blobs = await blobsOf(tx, account.id);
  const removed: Removed = { ...cases.removed };
  for (const [table, plan] of Object.entries(personTables)) {
    if (plan.rows !== 'deleted') continue;
    const count = await affected(
      tx,
      sql`DELETE FROM ${sql.table(table)} WHERE tenant_id = ${account.tenantId} AND ${theirs(account, plan)}`,
    );
    removed[table] = (removed[table] ?? 0) + count;
  }
  return { removed, events, cases: cases.kept, casesReturned, callsOfCases, blobs };
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
async function blankEvents(tx: Tx, { id, uuid, tenantId }: Account): Promise<number> {
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
async function detachFromCases(tx: Tx, userId: number): Promise<number> {
  return await affected(
    tx,
    sql`UPDATE ml_diagnosis_results SET user_id = NULL WHERE user_id = ${userId} AND case_uuid IS NOT NULL`,
  );
}
