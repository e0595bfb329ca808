import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createMemory } from '../../src/lib/app/memory.ts';
import { findOpenInvitation } from '../../src/domain/membership/invitations/invitation.queries.ts';
import { findInvited, findResetAddressee } from '../../src/domain/delivery/mails/mail-addressees.queries.ts';
import { findLiveSessions } from '../../src/domain/identity/sessions/live-session.queries.ts';
import { findRefreshToken } from '../../src/domain/identity/sessions/session.queries.ts';
import { findResetToken } from '../../src/domain/identity/users/reset-token.queries.ts';
import { connectDatabase } from '../../src/lib/db/connect.ts';
import { inTenant } from '../../src/lib/db/tenant.ts';
import {
  claimMessages,
  claimSeconds,
  countDue,
  findAbandoned,
  postponeMessage,
} from '../../src/lib/outbox/claims.ts';
import { enqueue } from '../../src/lib/outbox/enqueue.ts';
import { afterwards } from '../support/cleanup.ts';
import { testDatabase } from '../support/database.ts';

// Whether something has expired is decided by the app's clock, to the millisecond, however far it is from the
// database's: two years behind and two years ahead.

const { url } = await testDatabase();
const { db, pool } = connectDatabase({ url, poolMax: 2, onIdleError: () => undefined });
afterwards(() => pool.end());

const tenantId = 1;
const year = 365 * 24 * 60 * 60 * 1000;
const hashOf = (text: string) => createHash('sha256').update(text).digest();

/** Everything that can expire, all of it at `end`. */
async function populate(end: Date) {
  const [name, sessionUuid, invitationUuid] = [randomUUID(), randomUUID(), randomUUID()];
  return await inTenant(db, tenantId, async (tx) => {
    const { id: userId } = await tx
      .insertInto('users')
      .values({
        uuid: randomUUID(),
        tenant_id: tenantId,
        email: `${name}@example.org`,
        password_hash: '!',
        role: 'admin',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const own = { tenant_id: tenantId, user_id: userId };
    const session = { auth_time: end, last_used_at: end, idle_expires_at: end, absolute_expires_at: end };
    await tx
      .insertInto('sessions')
      .values({ uuid: sessionUuid, ...own, ...session })
      .execute();
    const hash = hashOf(name);
    await tx
      .insertInto('refresh_tokens')
      .values({ ...own, session_uuid: sessionUuid, token_hash: hash, expires_at: end })
      .execute();
    const { id: resetTokenId } = await tx
      .insertInto('password_reset_tokens')
      .values({ ...own, token_hash: hash, expires_at: end })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('invitations')
      .values({
        uuid: invitationUuid,
        tenant_id: tenantId,
        email: `guest-${name}@example.org`,
        role: 'patient',
        token_hash: hash,
        invited_by: userId,
        expires_at: end,
      })
      .execute();
    return { hash, sessionUuid, resetTokenId, invitationUuid };
  });
}

describe.each([
  ['behind', -2 * year],
  ['ahead', 2 * year],
])('the app’s clock is two years %s', (_word, shift) => {
  const end = new Date(Date.now() + shift);
  const before = new Date(end.getTime() - 1);

  test('sessions, refresh tokens, reset tokens, invitations and their mails end at their end', async () => {
    const { hash, sessionUuid, resetTokenId, invitationUuid } = await populate(end);
    const alive = async (now: Date) => [
      (await findLiveSessions(db, [{ sessionUuid, now }]))[0] !== undefined,
      (await findRefreshToken({ db, memory: createMemory() }, { hash, now }))?.is_alive,
      (await findResetToken(db, hash, now)) !== undefined,
      (await findOpenInvitation(db, hash, now)) !== undefined,
      (await inTenant(db, tenantId, (tx) => findResetAddressee(tx, resetTokenId, now))) !== undefined,
      (await inTenant(db, tenantId, (tx) => findInvited(tx, invitationUuid, now))) !== undefined,
    ];
    expect(await alive(before)).toEqual([true, true, true, true, true, true]);
    expect(await alive(end)).toEqual([false, false, false, false, false, false]);
  });

  test('a message is due when it is written, when its claim ends, and when it is to be tried again', async () => {
    await db.deleteFrom('outbox_messages').execute();
    const later = (seconds: number) => new Date(end.getTime() + seconds * 1000);
    const claim = async (now: Date) => (await claimMessages(db, 'mail', 20, undefined, now))[0];
    await enqueue(db, { consumer: 'mail', topic: 'greeting', payload: {} }, end);
    expect([await countDue(db, 'mail', before), await countDue(db, 'mail', end)]).toEqual([0, 1]);
    expect(await claim(before)).toBeUndefined();
    expect(await claim(end)).toMatchObject({ attempt: 1 });
    expect(await claim(new Date(later(claimSeconds).getTime() - 1))).toBeUndefined();
    const second = await claim(later(claimSeconds));
    expect(second).toMatchObject({ attempt: 2 });
    if (second !== undefined) await postponeMessage(db, second, 30, 'x', later(100));
    expect(await claim(new Date(later(130).getTime() - 1))).toBeUndefined();
    expect(await claim(later(130))).toMatchObject({ attempt: 3 });
    await db.updateTable('outbox_messages').set({ attempts: 10 }).execute();
    expect(await findAbandoned(db, 'mail', later(130))).toEqual([]);
    expect(await findAbandoned(db, 'mail', later(130 + claimSeconds))).toHaveLength(1);
  });
});

test('an invitation counts only while its inviter is an active admin', async () => {
  const now = new Date();
  for (const change of [{ is_active: false }, { role: 'physician' as const }]) {
    const { hash } = await populate(new Date(now.getTime() + year));
    expect(await findOpenInvitation(db, hash, now)).toBeDefined();
    await inTenant(db, tenantId, (tx) => tx.updateTable('users').set(change).execute());
    expect(await findOpenInvitation(db, hash, now)).toBeUndefined();
  }
});
