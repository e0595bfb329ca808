import { systemActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { forEachTenant, inTenant } from '../../../lib/db/tenant.ts';
import type { FieldCrypto } from '../../../lib/crypto/field-crypto.ts';
import type { ParameterSource } from '../../platform/parameters/parameter.queries.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import { lockPhysician } from '../../identity/physicians/physician.queries.ts';
import { handBackCases } from '../../membership/users/hand-back-cases.ts';
import { setActive } from '../../membership/users/set-user-active.ts';
import { lockAccount } from '../../identity/users/user.queries.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { eraseBlobs, type RemovableBlobs, removeBlobs } from './erase-blobs.ts';
import { countLeases, eraseCases } from './account-cases.queries.ts';
import {
  blankEvents,
  deleteRowsOf,
  detachFromCases,
  eraseTracesOfAddress,
  lockForErasure,
  type Removed,
} from './account-rows.queries.ts';
import { eraseResetRequests, type ResetRequests } from './erase-reset-requests.ts';
import type { Person } from './find-person.ts';
import type { Account } from './person.queries.ts';
import { lockBlobsOf } from './photos.queries.ts';
import { findUnknownTables } from './person-tables.ts';

/** Of the events. */
const request = { id: 'erase-user', ipPrefix: undefined };

export interface ErasureTools extends Pick<ParameterSource, 'clock' | 'log' | 'memory'> {
  /** Connected as the role that owns the tables. */
  db: Db;
  blobs: RemovableBlobs;
  /** Opens addresses in messages that wait; without it such messages stay. */
  fieldCrypto: FieldCrypto | undefined;
}

interface ErasedRows {
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

export interface Erased extends Omit<ErasedRows, 'blobs'> {
  /** Blobs removed: photos and thumbnails. */
  blobs: number;
  resetRequests: ResetRequests;
}

/**
 * Removes everything about a person: rows, photos, thumbnails, messages that wait. The account is deactivated first, so that
 * its owner adds nothing meanwhile. Blobs go before the rows that name them, so that an interrupted run finds them again;
 * running it again is harmless.
 *
 * @throws before it removes anything when the database has tables that `personTables` does not know, or the person has
 *   cases in review; {BlobUnavailable}
 */
export async function erasePerson(person: Person, tools: ErasureTools): Promise<Erased> {
  const { db, fieldCrypto } = tools;
  const unknown = await findUnknownTables(db);
  if (unknown.length > 0) {
    throw new Error(
      `Nothing was erased: src/domain/records/erasure/person-tables.ts does not know ${unknown.join(', ')}.`,
    );
  }
  const casesReturned = person.account && (await deactivate(person.account, tools));
  const account = casesReturned === undefined ? undefined : person.account;
  const erased = account && (await eraseBlobs(db, tools.blobs, account, tools.clock.now()));
  const resetRequests = await eraseResetRequests(db, fieldCrypto, person.email);
  const removed: Removed = { outbox_messages: resetRequests.removed };
  await forEachTenant(db, async (id) => {
    add(removed, await inTenant(db, id, (tx) => eraseTracesOfAddress(tx, id, person.email)));
  });
  if (account === undefined || casesReturned === undefined || erased === undefined)
    return { removed, events: 0, cases: 0, casesReturned: 0, callsOfCases: 0, blobs: 0, resetRequests };
  const rows = await eraseRows(account, tools, casesReturned);
  add(removed, rows.removed);
  // A request in flight may have written a blob after it was removed, or added an upload or a thumbnail.
  const late = rows.blobs.filter((name) => !erased.names.includes(name));
  await removeBlobs(tools.blobs, [...late, ...erased.unfinished]);
  return { ...rows, removed, blobs: erased.names.length + late.length, resetRequests };
}

/**
 * Ends what the person could still do, in a transaction of its own.
 * @returns how many cases of a physician went back to the queue; undefined where another run has erased the account since.
 */
async function deactivate(
  account: Account,
  { db, clock, log, memory }: ErasureTools,
): Promise<number | undefined> {
  const sla = await readParameters({ db, clock, log, memory }, account.tenantId, 'queue/sla_hours');
  const audit = openAudit(undefined, systemActor, request);
  return await inTenant(db, account.tenantId, async (tx) => {
    if (!(await lockWithoutLease(tx, account))) return undefined;
    const work = { audit, now: clock.now(), sla };
    const { casesReturned } = await setActive(tx, work, account, false, { by: 'command line' });
    return casesReturned;
  });
}

/**
 * Locks account and physician, in the order of `setActive`: no case is taken after the count.
 * @returns false where there is no such account any more.
 */
async function lockWithoutLease(tx: Tx, account: Account): Promise<boolean> {
  if (!(await lockAccount(tx, account.id))) return false;
  await lockPhysician(tx, account.id);
  const leases = await countLeases(tx, account);
  if (leases > 0) {
    throw new Error(
      `Nothing was erased: this physician has ${leases} cases in review, which must go back to the queue first.`,
    );
  }
  return true;
}

/**
 * Removes the account with all that hangs on it, in the tenant's transaction, and records that. The account is locked first and
 * goes last: a request that is still under way finds no account to record anything for, its foreign key fails.
 *
 * @param db of the role that owns the tables: the app itself may neither delete AI calls nor change events.
 */
async function eraseRows(
  account: Account,
  { db, clock, log, memory }: ErasureTools,
  returnedBefore: number,
): Promise<ErasedRows> {
  const sla = await readParameters({ db, clock, log, memory }, account.tenantId, 'queue/sla_hours');
  const audit = openAudit(auditEvents.userErased, systemActor, request);
  return await inTenant(db, account.tenantId, async (tx) => {
    const work = { audit, now: clock.now(), sla };
    await lockForErasure(tx, account);
    // First: a case that no longer names its physician would wait for that physician for ever.
    const returned = await handBackCases(tx, work, account.id);
    const events = await blankEvents(tx, account);
    const cases = await eraseCases(tx, account);
    const callsOfCases = await detachFromCases(tx, account.id);
    const blobs = await lockBlobsOf(tx, account.id);
    const removed: Removed = { ...cases.removed };
    add(removed, await deleteRowsOf(tx, account));
    const casesReturned = returnedBefore + returned;
    await audit.succeeded(tx, {
      tenantId: account.tenantId,
      subject: { kind: 'user', uuid: account.uuid },
      detail: { role: account.role, by: 'command line', cases: casesReturned, ...removed },
    });
    return { removed, events, cases: cases.kept, casesReturned, callsOfCases, blobs };
  });
}

function add(total: Removed, more: Removed): void {
  for (const [table, count] of Object.entries(more)) total[table] = (total[table] ?? 0) + count;
}
