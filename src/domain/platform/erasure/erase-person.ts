import { systemActor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { inTenant, tenantIds } from '../../../lib/db/tenant.ts';
import type { FieldCrypto } from '../../../lib/field-crypto.ts';
import type { ParameterSource } from '../../catalogue/parameters/parameter.queries.ts';
import { readParameters } from '../../catalogue/parameters/read-parameters.ts';
import { openAudit } from '../events/record-event.ts';
import { eraseBlobs, type RemovableBlobs, removeBlobs } from './erase-blobs.ts';
import { countLeases } from './erase-cases.ts';
import { eraseAccount, type ErasedRows, eraseInvitations, type Removed } from './erase-rows.ts';
import { eraseResetRequests, type ResetRequests } from './erase-reset-requests.ts';
import type { Account, Person } from './find-person.ts';
import { findUnknownTables } from './person-tables.ts';

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
 * Removes everything about a person: rows, photos, thumbnails, messages that wait. Blobs go before the rows that name
 * them, so that an interrupted run finds them again; running it again is harmless.
 *
 * @throws before it removes anything when the database has tables that `personTables` does not know, or the person has
 *   cases in review; {BlobUnavailable}
 */
export async function erasePerson(person: Person, tools: ErasureTools): Promise<Erased> {
  const { db, fieldCrypto } = tools;
  const unknown = await findUnknownTables(db);
  if (unknown.length > 0) {
    throw new Error(
      `Nothing was erased: src/domain/platform/erasure/person-tables.ts does not know ${unknown.join(', ')}.`,
    );
  }
  const { account } = person;
  if (account !== undefined) await requireNoLease(db, account);
  const blobs = account === undefined ? [] : await eraseBlobs(db, tools.blobs, account);
  const resetRequests = await eraseResetRequests(db, fieldCrypto, person.email);
  const removed: Removed = { outbox_messages: resetRequests.removed };
  for (const id of await tenantIds(db)) {
    add(removed, await inTenant(db, id, (tx) => eraseInvitations(tx, id, person.email)));
  }
  if (account === undefined)
    return { removed, events: 0, cases: 0, casesReturned: 0, callsOfCases: 0, blobs: 0, resetRequests };
  const rows = await eraseRows(account, tools);
  add(removed, rows.removed);
  // Those of an upload or a thumbnail that came meanwhile.
  const late = rows.blobs.filter((name) => !blobs.includes(name));
  await removeBlobs(tools.blobs, late);
  return { ...rows, removed, blobs: blobs.length + late.length, resetRequests };
}

async function requireNoLease(db: Db, account: Account): Promise<void> {
  const leases = await inTenant(db, account.tenantId, (tx) => countLeases(tx, account));
  if (leases > 0) {
    throw new Error(
      `Nothing was erased: this physician has ${leases} cases in review, which must go back to the queue first.`,
    );
  }
}

/** The account with all its rows, and an event that says so. */
async function eraseRows(account: Account, { db, clock, log }: ErasureTools): Promise<ErasedRows> {
  const sla = await readParameters({ db, clock, log }, account.tenantId, 'queue/sla_hours');
  const request = { id: 'erase-user', ipPrefix: undefined };
  const audit = openAudit(auditEvents.userErased, systemActor, request);
  return await inTenant(db, account.tenantId, async (tx) => {
    const erased = await eraseAccount(tx, account, { audit, now: clock.now(), sla });
    await audit.succeeded(tx, {
      tenantId: account.tenantId,
      subject: { kind: 'user', uuid: account.uuid },
      detail: { role: account.role, by: 'command line', cases: erased.casesReturned, ...erased.removed },
    });
    return erased;
  });
}

function add(total: Removed, more: Removed): void {
  for (const [table, count] of Object.entries(more)) total[table] = (total[table] ?? 0) + count;
}
