import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { systemActorOf } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import { defaultLanguage } from '../../../contract/language.ts';
import type { RequestFacts } from '../../../contract/request-facts.ts';
import { deadlineIn } from '../../../lib/ai/deadline.ts';
import type { AppContext } from '../../../lib/app/context.ts';
import { formatTraceparent } from '../../../lib/telemetry/traceparent.ts';
import { type ConsumerWork, Undeliverable } from '../../../lib/outbox/message.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { analyseCase } from './analyse-case.ts';

const Payload = z.object({ case_uuid: z.uuid(), request_id: z.string() });

/** Seconds until the next attempt; by then the minute timer finds the case, should every worker be gone. */
export function retryAfterSeconds(attempts: number): number {
  return [10, 30, 120, 300][attempts - 1] ?? 300;
}

/** What a step takes at most besides the answer of the AI service: that of the eligibility service, and PostgreSQL. */
const besidesAiSeconds = 10;

export type AnalysisWork = Pick<
  AppContext,
  'db' | 'ai' | 'members' | 'blobs' | 'config' | 'clock' | 'log' | 'memory'
>;

/** The outbox's consumer `analysis`: takes up cases whose analysis was not finished while their patients waited. */
export function createAnalysisWork(work: AnalysisWork): ConsumerWork {
  return {
    retryAfterSeconds,
    deliverySeconds: work.config.AI_TIMEOUT_MS / 1000 + besidesAiSeconds,
    // News of a danger, to the patient and to physicians on call.
    leavesMessages: true,
    async deliver(message) {
      const { tenantId } = message;
      const payload = Payload.safeParse(message.payload);
      if (tenantId === undefined || !payload.success) throw new Undeliverable('bad_payload');
      const { case_uuid: caseUuid, request_id: requestId } = payload.data;
      await resumeCase(work, { tenantId, caseUuid }, requestId);
    },
  };
}

/** Takes a case further without its patient, as the service itself. @throws what `analyseCase` throws. */
export async function resumeCase(
  work: AnalysisWork,
  ref: { tenantId: number; caseUuid: string },
  requestId: string,
): Promise<void> {
  const actor = systemActorOf(ref.tenantId);
  const request = backgroundRequest(requestId, work.clock.now());
  const audit = openAudit(auditEvents.caseAnalysed, actor, request);
  const ended = new AbortController();
  try {
    const deadline = deadlineIn(work.config.AI_TIMEOUT_MS, ended.signal);
    await analyseCase({ ...work, request, audit }, actor, ref, deadline);
  } finally {
    ended.abort();
  }
}

/** The facts of a request that no client sent: it continues the one that submitted the case, under its id. */
function backgroundRequest(id: string, receivedAt: Date): RequestFacts {
  return {
    id,
    receivedAt,
    language: defaultLanguage,
    tenantSlug: '',
    ipPrefix: undefined,
    userAgent: undefined,
    traceparent: formatTraceparent({
      traceId: randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      traceFlags: 1,
    }),
    idempotencyKey: undefined,
  };
}
