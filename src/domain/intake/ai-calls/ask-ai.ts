import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { TenantActor } from '../../../contract/actor.ts';
import type { AiCall } from '../../../lib/ai/ai-call.ts';
import type { AiClient } from '../../../lib/ai/ai-client.ts';
import { AiFailure } from '../../../lib/ai/ai-failure.ts';
import { deadlineIn } from '../../../lib/ai/deadline.ts';
import { type AiBody, imagePieces, jsonBytes } from '../../../lib/ai/encode-body.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { PartialAnamnesis } from '../anamnesis/anamnesis.schemas.ts';
import type { SafetyNetRecord } from '../red-flags/assess-red-flags.ts';
import { type AiCallKind, recordAiCall } from './ai-call.queries.ts';

/** How long, in milliseconds, an answer that is ready waits for its companions. */
const companionGraceMs = 3000;

type AiRoute = Exclude<AiCallKind, 'diagnosis'>;
type RouteCalls = Readonly<Partial<Record<AiRoute, { body: AiBody; reply: z.ZodType }>>>;
type RepliesTo<Calls> = {
  [Route in keyof Calls]: Calls[Route] extends { reply: z.ZodType<infer Reply> } ? Reply : never;
};

export interface AiQuestion<Needed, Companions, Answer> {
  kind: AiCallKind;
  /** Routes without whose replies there is no answer. */
  needed: Needed;
  /** Routes whose replies complete the answer: one that fails or is late is left out. */
  companions?: Companions;
  /** Makes the caller's answer from the replies and checks it against our own rules. */
  toAnswer(replies: RepliesTo<Needed> & Partial<RepliesTo<Companions>>): {
    answer: Answer;
    safetyNet?: SafetyNetRecord;
  };
  /** For diagnoses and predictions: stored with the answer. Of other calls only a hash of what was sent is stored. */
  storedAnamnesis?: PartialAnamnesis;
  /** For questions about a case, which has the anamnesis itself: the answer is stored. */
  about?: { caseUuid: string; revision: number };
  /** `AI_TIMEOUT_MS` by default. */
  timeoutMs?: number;
  /** Runs in the transaction that records the answer, with the uuid of its row. */
  onRecorded?: ((tx: Tx, uuid: string) => Promise<void>) | undefined;
  /**
   * For replies that count without the others: called with those of the needed routes that answered when one has failed. The
   * failure then cancels no other route.
   */
  onPartial?: (replies: Partial<RepliesTo<Needed>>) => Promise<void>;
}

type AiContext = Pick<Context, 'db' | 'memory' | 'ai' | 'audit' | 'config' | 'request'>;

/**
 * The one way to ask the AI service about an anamnesis or an image: asks one route or several side by side under one
 * deadline (`AI_TIMEOUT_MS`, retries included) and records the call, whether or not it succeeded.
 *
 * @throws {AiFailure} of the first needed route that failed; the others are then cancelled, unless there is `onPartial`.
 */
export async function askAi<
  Needed extends RouteCalls,
  Answer extends { modelVersion?: string | undefined },
  // oxlint-disable-next-line typescript/no-empty-object-type -- no companions
  Companions extends RouteCalls = {},
>(context: AiContext, actor: TenantActor, question: AiQuestion<Needed, Companions, Answer>): Promise<Answer> {
  const { audit, request } = context;
  const { kind, needed, companions, storedAnamnesis, about, onRecorded } = question;
  const started = performance.now();
  const inputSha256 = hashOf({ ...needed, ...companions });
  const record = { actor, audit, request, kind, inputSha256, about, anamnesis: storedAnamnesis };
  try {
    const replies = await collectReplies(context, question);
    const latencyMs = performance.now() - started;
    const { answer, safetyNet } = question.toAnswer(replies);
    const { modelVersion } = answer;
    const stored = storedAnamnesis === undefined && about === undefined ? undefined : answer;
    const ok = { outcome: 'ok' as const, answer: stored, safetyNet, modelVersion, latencyMs, onRecorded };
    await recordAiCall(context, { ...record, ...ok });
    return answer;
  } catch (error) {
    if (!(error instanceof AiFailure)) throw error;
    const latencyMs = performance.now() - started;
    await recordAiCall(context, { ...record, outcome: error.kind, failedRoute: error.route, latencyMs });
    throw error;
  }
}

async function collectReplies<Needed extends RouteCalls, Companions extends RouteCalls>(
  { ai, config, request }: AiContext,
  {
    needed,
    companions,
    timeoutMs = config.AI_TIMEOUT_MS,
    onPartial,
  }: Pick<AiQuestion<Needed, Companions, unknown>, 'needed' | 'companions' | 'timeoutMs' | 'onPartial'>,
): Promise<RepliesTo<Needed> & Partial<RepliesTo<Companions>>> {
  // When a needed call has failed, the answer is lost and the remaining calls are cancelled. A companion that is late has its
  // time up to the deadline: only an outcome of its own can open its breaker, which spares later callers the wait.
  const ended = new AbortController();
  const call: AiCall = {
    requestId: request.id,
    traceparent: request.traceparent,
    language: request.language,
    deadline: deadlineIn(timeoutMs, ended.signal),
  };
  const beside = startCompanions(companions ?? {}, ai, call);
  const calls = Object.entries(needed).map(async ([route, { body, reply }]): Promise<[string, unknown]> => [
    route,
    await ai.post(route, body, reply, call),
  ]);
  try {
    const replies = [...(await Promise.all(calls)), ...(await beside.inTime())];
    return Object.fromEntries(replies) as RepliesTo<Needed> & Partial<RepliesTo<Companions>>;
  } catch (error) {
    if (onPartial !== undefined && error instanceof AiFailure) await onPartial(await repliesAmong(calls));
    ended.abort(notNeeded);
    throw error;
  } finally {
    void beside.ended.then(() => ended.abort(notNeeded));
  }
}

/** When all have ended, the replies of those that did not fail. */
async function repliesAmong<Replies>(calls: readonly Promise<[string, unknown]>[]): Promise<Replies> {
  const ended = await Promise.allSettled(calls);
  const replies = ended.flatMap((call) => (call.status === 'fulfilled' ? [call.value] : []));
  return Object.fromEntries(replies) as Replies;
}

/** One for all calls: making an exception costs more than aborting. */
const notNeeded = new DOMException('No one needs the answer any more.', 'AbortError');

interface CompanionCalls {
  /** To be called when the needed replies are there: entries of the companions that replied in time. */
  inTime: () => Promise<[string, unknown][]>;
  /** When all have replied or failed. */
  ended: Promise<unknown>;
}

function startCompanions(companions: RouteCalls, ai: AiClient, call: AiCall): CompanionCalls {
  const started = Object.entries(companions).map(
    async ([route, { body, reply }]): Promise<[string, unknown][]> => {
      try {
        return [[route, await ai.post(route, body, reply, call)]];
      } catch (error) {
        // The AI client has logged it.
        if (error instanceof AiFailure) return [];
        throw error;
      }
    },
  );
  async function inTime() {
    const { promise: late, resolve: isLate } = Promise.withResolvers<[]>();
    const grace = setTimeout(isLate, companionGraceMs, []);
    try {
      return (await Promise.all(started.map((reply) => Promise.race([reply, late])))).flat();
    } finally {
      clearTimeout(grace);
    }
  }

  // When a needed call fails, these are not awaited, and a failure of theirs must not end the process.
  return { inTime, ended: Promise.allSettled(started) };
}

/** SHA-256 of what is sent; a body that several routes are asked about counts once. */
function hashOf(calls: RouteCalls): Buffer {
  const digest = createHash('sha256');
  const bodies = new Set(Object.values(calls).map(({ body }) => body));
  for (const [index, body] of [...bodies].entries()) {
    if (index > 0) digest.update('\0');
    if ('json' in body) digest.update(jsonBytes(body));
    else for (const piece of imagePieces(body)) digest.update(piece);
  }
  return digest.digest();
}
