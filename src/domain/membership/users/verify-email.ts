import type { Actor } from '../../../contract/actor.ts';
import { concerning, Problem } from '../../../contract/problem.ts';
import { hashOpaqueToken } from '../../../lib/auth/opaque-token.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { countRefusedToken } from '../../platform/throttle/throttle.ts';
import {
  findVerificationToken,
  takeVerificationToken,
} from '../../identity/users/verification-token.queries.ts';

/**
 * Verifies the address of an account with a token from a mail.
 * @throws {Problem} `verification_invalid`, `rate_limited`
 */
export async function verifyEmail(
  context: Context,
  _actor: Actor,
  { token: presented }: { token: string },
): Promise<void> {
  const { db, clock, audit } = context;
  const hash = hashOpaqueToken('verification', presented);
  const token = hash && (await findVerificationToken(db, hash, clock.now()));
  if (token === undefined) {
    await countRefusedToken(context, 'verification', hash !== undefined);
    throw new Problem('verification_invalid');
  }
  const { tenant_id: tenantId, user_id: userId } = token;
  await concerning({ tenantId, userId }, () =>
    inTenant(db, tenantId, async (tx) => {
      if (!(await takeVerificationToken(tx, token, clock.now()))) throw new Problem('verification_invalid');
      await audit.succeeded(tx, { tenantId, userId });
    }),
  );
}
