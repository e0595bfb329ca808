import type { AccountActor } from '../../../contract/actor.ts';
import { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { isOwnInvitation, lockUnused } from './invitation.queries.ts';
import { issueInvitation } from './issue-invitation.ts';
import { findAccountLanguage, requireAdminStill } from '../../identity/users/user.queries.ts';

/**
 * Replaces an invitation that is neither used nor withdrawn, expired or not, by a new one to the same address and role. The
 * token before no longer works.
 *
 * @returns the new invitation, with its token only where no mail server is configured.
 * @throws {Problem} `invitation_not_found`
 */
export async function resendInvitation(
  context: Context,
  actor: AccountActor,
  { uuid: replaced }: { uuid: string },
) {
  const { db, outbox, audit, request } = context;
  const invitation = await inTenant(db, actor.tenantId, async (tx) => {
    await requireAdminStill(tx, actor.id);
    const unused = await lockUnused(tx, replaced);
    if (unused === undefined) {
      const conceals = { kind: 'invitation', uuid: replaced };
      throw new Problem('invitation_not_found', (await isOwnInvitation(tx, replaced)) ? {} : { conceals });
    }
    const { email, role } = unused;
    const language = (await languageOf(tx, email)) ?? request.language;
    const made = await issueInvitation(context, tx, actor, { email, role, language });
    const subject = { kind: 'invitation', uuid: made.uuid };
    await audit.succeeded(tx, { subject, detail: { role, replaced } });
    return { ...made, role };
  });
  outbox.kick();
  return invitation;
}

/** Of the account that an admin has prepared for the address, if there is one. */
async function languageOf(tx: Tx, email: string): Promise<Language | undefined> {
  return Language.optional()
    .catch(undefined)
    .parse(await findAccountLanguage(tx, email));
}
