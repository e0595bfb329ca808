import type { AccountActor } from '../../../contract/actor.ts';
import type { Language } from '../../../contract/language.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { setLanguagePreference } from '../physicians/physician.queries.ts';
import { setAccountLanguage } from './user.queries.ts';

/** Sets the language of the caller's mails, and the one that a physician reads. */
export async function setLanguage(
  { db, audit }: Context,
  { id, uuid, tenantId }: AccountActor,
  language: Language,
): Promise<void> {
  await inTenant(db, tenantId, async (tx) => {
    await setAccountLanguage(tx, id, language);
    await setLanguagePreference(tx, id, language);
    await audit.succeeded(tx, { subject: { kind: 'user', uuid }, detail: { language } });
  });
}
