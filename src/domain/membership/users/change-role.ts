import { auditEvents } from '../../../contract/audit.ts';
import { Language } from '../../../contract/language.ts';
import type { Role } from '../../../contract/role.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { changeInvitedRole, withdrawSent } from '../invitations/invitation.queries.ts';
import { leaveAllGroups } from '../../identity/groups/member.queries.ts';
import { createSelfProfile } from '../../identity/patients/self-profile.queries.ts';
import { ensurePhysician } from '../../identity/physicians/physician.queries.ts';
import { endSessions } from '../../identity/sessions/session.queries.ts';
import { setRole } from './account.queries.ts';
import { type AccountWork, handBackCases } from './hand-back-cases.ts';

/**
 * Gives an account another role, with the profile that belongs to it. What the account was as a physician stays on record,
 * but it gives back its cases; a patient leaves all groups. Its sessions end: they were opened with other rights. An unused
 * invitation to its address gives the new role; those that it has sent as an admin are withdrawn. The caller holds the lock on
 * the user's row.
 */
export async function changeRole(
  tx: Tx,
  work: AccountWork,
  account: { id: number; uuid: string; email: string; role: Role; tenantId: number; language: string | null },
  role: Role,
): Promise<{ sessionsEnded: number; casesReturned: number }> {
  const { audit, now } = work;
  const { id: userId, uuid, tenantId } = account;
  const invitations =
    (await changeInvitedRole(tx, account, role)) +
    (account.role === 'admin' ? await withdrawSent(tx, userId, now) : 0);
  // An admin who has been a physician takes cases as well.
  const casesReturned = await handBackCases(tx, work, userId);
  // Before the role changes: a patient gets no notices, and an open stream is to say that its session has ended.
  const sessionsEnded = await endSessions(tx, userId, 'all', 'revoked_by_admin', now);
  await setRole(tx, userId, role);
  if (role === 'physician') {
    const language = Language.catch('en').parse(account.language);
    await ensurePhysician(tx, { tenantId, userId, language });
  }
  if (role === 'patient') {
    await createSelfProfile(tx, { tenantId, userId });
    await leaveAllGroups(tx, userId);
  }
  await audit.as(auditEvents.userRoleChanged).succeeded(tx, {
    subject: { kind: 'user', uuid },
    detail: {
      from: account.role,
      to: role,
      sessions: sessionsEnded,
      cases: casesReturned,
      ...(invitations > 0 && { invitations }),
    },
  });
  return { sessionsEnded, casesReturned };
}
