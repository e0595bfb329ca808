import type { Db } from '../../../lib/db/connect.ts';
import type { FieldCrypto } from '../../../lib/crypto/field-crypto.ts';
import { LinkRequester, mailPayloads, openSealed } from '../../announce/mails/mail-payloads.ts';
import { deleteLinkRequest, findLinkRequests } from './person.queries.ts';

export interface ResetRequests {
  removed: number;
  /** Those whose address could not be opened: whether they are the person's is not known. */
  unreadable: number;
}

/** Requests for a link that no worker has been able to deal with yet: they alone have an address, sealed. */
export async function eraseResetRequests(
  db: Db,
  fieldCrypto: FieldCrypto | undefined,
  email: string,
): Promise<ResetRequests> {
  const outcome: ResetRequests = { removed: 0, unreadable: 0 };
  for (const { id, payload, dedupe_key: dedupeKey } of await findLinkRequests(db)) {
    const address = fieldCrypto && (await addressIn(fieldCrypto, dedupeKey ?? '', payload));
    if (address === undefined) outcome.unreadable += 1;
    if (address !== email) continue;
    await deleteLinkRequest(db, id);
    outcome.removed += 1;
  }
  return outcome;
}

/** Both kinds of request have the same payload. */
async function addressIn(
  fieldCrypto: FieldCrypto,
  dedupeKey: string,
  payload: unknown,
): Promise<string | undefined> {
  const { data } = mailPayloads.password_reset_requested.safeParse(payload);
  if (data === undefined) return undefined;
  try {
    const requester = await openSealed(fieldCrypto, { dedupeKey }, data.requester);
    return LinkRequester.parse(JSON.parse(requester)).email;
  } catch {
    return undefined;
  }
}
