import { systemActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Db, Tx } from '../../../lib/db/connect.ts';
import { forEachTenant, inTenant } from '../../../lib/db/tenant.ts';
import type { FieldCrypto } from '../../../lib/crypto/field-crypto.ts';
import type { ParameterSource } from '../../platform/parameters/parameter.queries.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import { lockPhysician } from '../../identity/physicians/physician.queries.ts';
import { setActive } from '../../membership/users/set-user-active.ts';
import { lockAccount } from '../../identity/users/user.queries.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { eraseBlobs, type RemovableBlobs, removeBlobs } from './erase-blobs.ts';
import { countLeases } from './erase-cases.ts';
import { eraseAccount, type ErasedRows, eraseTracesOfAddress, type Removed } from './erase-rows.ts';
import { eraseResetRequests, type ResetRequests } from './erase-reset-requests.ts';
import type { Account, Person } from './find-person.ts';
import { findUnknownTables } from './person-tables.ts';

/** Of the events. */
const request = { id: 'erase-user', ipPrefix: undefined };

export interface ErasureTools extends Pick<ParameterSource, 'clock' | 'log'> {
  /** Connected as the role that owns the tables. */
  db: Db;
  blobs: RemovableBlobs;
  /** Opens addresses in messages that wait; without it such messages stay. */
  fieldCrypto: FieldCrypto | undefined;
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
async function deactivate(account: Account, { db, clock, log }: ErasureTools): Promise<number | undefined> {
  const sla = await readParameters({ db, clock, log }, account.tenantId, 'queue/sla_hours');
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

/** The account with all its rows, and an event that says so. */
async function eraseRows(
  account: Account,
  { db, clock, log }: ErasureTools,
  returnedBefore: number,
): Promise<ErasedRows> {
  const sla = await readParameters({ db, clock, log }, account.tenantId, 'queue/sla_hours');
  const audit = openAudit(auditEvents.userErased, systemActor, request);
  return await inTenant(db, account.tenantId, async (tx) => {
    const { casesReturned, ...erased } = await eraseAccount(tx, account, { audit, now: clock.now(), sla });
    const cases = returnedBefore + casesReturned;
    await audit.succeeded(tx, {
      tenantId: account.tenantId,
      subject: { kind: 'user', uuid: account.uuid },
      detail: { role: account.role, by: 'command line', cases, ...erased.removed },
    });
    return { ...erased, casesReturned: cases };
  });
}

function add(total: Removed, more: Removed): void {
  for (const [table, count] of Object.entries(more)) total[table] = (total[table] ?? 0) + count;
}
