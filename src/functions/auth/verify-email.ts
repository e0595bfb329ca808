import { z } from 'zod';
import { refusedTokenRules } from '../../domain/identity/throttle/auth-limits.ts';
import { countRefusedToken } from '../../domain/identity/throttle/refused-token.ts';
import {
  findVerificationToken,
  verifyEmail as verify,
} from '../../domain/identity/users/email-verification.ts';
import { hashOpaqueToken } from '../../lib/auth/opaque-token.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Message } from '../../lib/http/message.ts';
import { concerning, Problem } from '../../contract/problem.ts';

export const verifyEmail = endpoint({
  name: 'verifyEmail',
  method: 'POST',
  route: 'api/auth/verify-email',
  tag: 'Authentication',
  summary: 'Verify my email address with a token from a mail',
  description:
    'The token works once, for 24 hours, and only while the account has the address that the mail went to. Needs no access ' +
    'token and opens no session. By POST only, because mail scanners open links.',
  auth: 'public',
  audit: { category: 'auth', success: 'email_verified', refusal: 'email_verification_fail' },
  body: z
    .strictObject({ token: z.string().meta({ description: 'From the link in the mail.' }) })
    .meta({ id: 'EmailVerification', description: 'The token of the mail.' }),
  reply: { status: 200, description: 'The address is verified.', body: Message },
  problems: ['verification_invalid', 'rate_limited'],
  async handler({ body, context }) {
    const { config, db, clock, throttleKey, request, audit } = context;
    const hash = hashOpaqueToken('verification', body.token);
    const token = hash && (await findVerificationToken(db, hash, clock.now()));
    if (token === undefined) {
      const rules = refusedTokenRules(config, throttleKey, 'verification', request.ipPrefix);
      await countRefusedToken(db, rules, hash !== undefined, request.receivedAt);
      throw new Problem('verification_invalid');
    }
    await concerning({ tenantId: token.tenant_id, userId: token.user_id }, () =>
      inTenant(db, token.tenant_id, (tx) => verify(tx, token, clock.now(), audit)),
    );
    return { message: 'The email address is verified.' };
  },
});
