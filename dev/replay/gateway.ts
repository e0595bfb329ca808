import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Session } from './session.ts';

const ProblemBody = z.object({
  code: z.string(),
  detail: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string(), code: z.string() })).default([]),
});

/** Why a call gave no answer. `status` 0: no reply at all. */
export type Refusal = {
  status: number;
  code: string;
  errors: readonly { pointer: string; code: string }[];
};

/** `ms`: from sending to the end of the reply; of the last try when the gateway was busy. */
export type Reply = { ms: number } & ({ answer: unknown } | { refusal: Refusal });

export type Gateway = {
  /** POSTs JSON, or a form as multipart. Never throws for a reply that is an error. */
  post(path: string, body: object | FormData): Promise<Reply>;
  /** How often a 503 or 429 was waited out. */
  waits(): number;
};

/** So often a busy gateway is asked again, as late as it wishes. */
const TRIES = 6;

export function createGateway(url: string, session: Session): Gateway {
  let waits = 0;

  async function once(
    path: string,
    body: object | FormData,
  ): Promise<{ ms: number; reply: Response; text: string }> {
    const send = async (token: string) => {
      const form = body instanceof FormData;
      const startedAt = performance.now();
      const reply = await fetch(new URL(path, url), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...(!form && { 'content-type': 'application/json' }) },
        body: form ? body : JSON.stringify(body),
        redirect: 'error',
      });
      const text = await reply.text();
      return { ms: performance.now() - startedAt, reply, text };
    };
    const token = await session.token();
    const first = await send(token);
    return first.reply.status === 401 ? await send(await session.newerThan(token)) : first;
  }

  return {
    waits: () => waits,
    async post(path, body) {
      for (let attempt = 1; ; attempt++) {
        let outcome;
        try {
          outcome = await once(path, body);
        } catch (error) {
          if (!isNetworkError(error)) throw error;
          return { ms: 0, refusal: { status: 0, code: networkCode(error), errors: [] } };
        }
        const { ms, reply, text } = outcome;
        if (reply.status === 200) return { ms, answer: JSON.parse(text) };
        const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN);
        if ([429, 503].includes(reply.status) && seconds > 0 && attempt < TRIES) {
          waits += 1;
          await sleep(seconds * 1000);
          continue;
        }
        return { ms, refusal: { status: reply.status, ...readProblem(text) } };
      }
    },
  };
}

function readProblem(text: string): Omit<Refusal, 'status'> {
  try {
    const { code, errors } = ProblemBody.parse(JSON.parse(text));
    return { code, errors };
  } catch {
    return { code: 'not a problem document', errors: [] };
  }
}

/** `fetch` throws a TypeError whose cause says what happened on the wire. */
function isNetworkError(error: unknown): error is TypeError {
  return error instanceof TypeError && error.cause instanceof Error;
}

function networkCode({ cause }: TypeError): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'network error';
}
