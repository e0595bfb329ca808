import type { z } from 'zod';
import type { AiCall } from '../../../lib/ai/ai-call.ts';
import type { AiClient } from '../../../lib/ai/ai-client.ts';
import { AiFailure } from '../../../lib/ai/ai-failure.ts';
import { deadlineIn, pauseWithin } from '../../../lib/ai/deadline.ts';
import type { AiBody } from '../../../lib/ai/encode-body.ts';
import type { AiCallKind } from './record-ai-call.ts';

/** Another route of the AI service whose reply completes an answer without being needed for it. */
export interface Companion<Reply> {
  route: AiCallKind;
  reply: z.ZodType<Reply>;
}

/** How long, in milliseconds, an answer that is ready waits for its companion. */
const GRACE_MS = 3000;

/**
 * Starts the companion call at once.
 * @returns what to call when the answer is ready: the companion's reply, or undefined when there is no companion, when
 *   it failed (the AI client has logged why) or when it is still not there after the grace period.
 */
export function askBeside<Reply>(
  companion: Companion<Reply> | undefined,
  body: AiBody,
  ai: AiClient,
  call: AiCall,
): () => Promise<Reply | undefined> {
  if (companion === undefined) return async () => undefined;
  const reply = ai.post(companion.route, body, companion.reply, call).catch((error: unknown) => {
    if (error instanceof AiFailure) return undefined;
    throw error;
  });
  // When the answer itself fails nobody asks for this one any more, and its failure must not end the process.
  reply.catch(() => undefined);
  return async () => {
    const answered = new AbortController();
    try {
      const pause = pauseWithin(deadlineIn(GRACE_MS, answered.signal), GRACE_MS);
      return await Promise.race([reply, pause.then(() => undefined)]);
    } finally {
      answered.abort();
    }
  };
}
