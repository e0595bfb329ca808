import { z } from 'zod';
import { AiFailure } from '../../../lib/ai/ai-failure.ts';
import { deadlineIn } from '../../../lib/ai/deadline.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { EligibilityRules, Membership } from '../record/evaluate-eligibility.ts';

const MembershipReply = z.object({
  eligible: z.boolean(),
  reason: z
    .string()
    .regex(/^[a-z0-9_]{1,48}$/)
    .optional(),
});

/** A patient waits for the reply. */
const timeoutMs = 3000;

/**
 * Whether the tenant's rules count the patient among its members: asks `ELIGIBILITY_SERVICE_URL` where they want it, with
 * the deadline, circuit breaker and checked reply of every call to another service. Never throws for a service that
 * fails.
 */
export async function checkMembership(
  { members, request }: Pick<Context, 'members' | 'request'>,
  { membership: wanted }: Pick<EligibilityRules, 'membership'>,
  { externalId, tenant }: { externalId: string | null; tenant: string },
): Promise<Membership> {
  if (wanted === 'none') return { state: 'member' };
  if (externalId === null) return { state: 'not_a_member' };
  if (wanted === 'external_id' || members === undefined) return { state: 'member' };
  const body = { json: { external_id: externalId, tenant } };
  const deadline = deadlineIn(timeoutMs);
  try {
    const reply = await members.post('membership', body, MembershipReply, {
      requestId: request.id,
      traceparent: request.traceparent,
      language: request.language,
      deadline,
    });
    return reply.eligible ? { state: 'member' } : { state: 'not_a_member', reason: reply.reason };
  } catch (error) {
    if (error instanceof AiFailure) return { state: 'unreachable' };
    throw error;
  }
}
