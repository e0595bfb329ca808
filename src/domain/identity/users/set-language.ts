import type { AccountActor } from '../../../contract/actor.ts';
import type { Language } from '../../../contract/language.ts';
import { sql } from 'kysely';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';

/** Sets the language of the caller's mails, and the one that a physician reads. */
export async function setLanguage(
  { db, audit }: Context,
  { id, uuid, tenantId }: AccountActor,
  language: Language,
): Promise<void> {
  await inTenant(db, tenantId, async (tx) => {
    await tx.updateTable('users').set({ language }).where('id', '=', id).execute();
    await tx
      .updateTable('physicians')
      .set({ language_preference: language, version: sql`version + 1` })
      .where('user_id', '=', id)
      .where('language_preference', '!=', language)
      .execute();
    await audit.succeeded(tx, { subject: { kind: 'user', uuid }, detail: { language } });
  });
}
