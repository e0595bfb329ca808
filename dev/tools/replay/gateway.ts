import { setTimeout as sleep } from 'node:timers/promises';
import {
  createDermagate,
  type Dermagate,
  type DermagateError,
  type FieldError,
  inMemory,
  isProblem,
  type LoginRequest,
} from '../../packages/client/src/index.ts';

/** Why a call failed. `status` 0: no reply at all. */
export interface Refusal {
  status: number;
  code: string;
  errors: readonly FieldError[];
}

/**
 * An answer or a refusal. `ms`: from sending to the end of the reply, including a refresh; of the last attempt when the gateway
 * was busy.
 */
export interface Reply<Answer> {
  ms: number;
  answer?: Answer;
  refusal?: Refusal;
}

/** A call of the client. */
export type Call<Answer> = (
  api: Dermagate,
) => Promise<{ data?: Answer; error?: unknown; response: Response }>;

export interface Gateway {
  /** Makes the call and repeats it while the gateway is busy. @throws {Error} when the session has ended. */
  ask<Answer>(call: Call<Answer>): Promise<Reply<Answer>>;
  /** How many times a call waited after 503 or 429. */
  waits(): number;
}

/** Maximum attempts at a busy gateway, each after its `Retry-After`. */
const TRIES = 6;

/** Logs in. @throws {Error} when nothing answers or the login is refused. */
export async function openGateway(
  url: string,
  credentials: LoginRequest,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<Gateway> {
  const api = createDermagate({ baseUrl: url, tokens: inMemory(), redirect: 'error' });
  await api.session.logIn(credentials).catch((cause: unknown) => {
    const { code, status } = cause as DermagateError;
    throw new Error(
      status === undefined
        ? `No gateway answers at ${url}. npm start starts one.`
        : `The gateway refused the login as ${credentials.email}: ${status} ${code}`,
      { cause },
    );
  });

  let waits = 0;
  async function ask<Answer>(call: Call<Answer>): Promise<Reply<Answer>> {
    for (let tries = 1; ; tries += 1) {
      const startedAt = performance.now();
      const reply = await call(api);
      const ms = performance.now() - startedAt;
      if (reply.data !== undefined) return { ms, answer: reply.data };
      const refusal = refusalOf(reply);
      if (refusal.status === 401) throw new Error(`The session has ended: 401 ${refusal.code}`);
      const seconds = Number(reply.response.headers.get('retry-after'));
      const isBusy = [429, 503].includes(refusal.status) && seconds > 0;
      if (!isBusy || tries === TRIES) return { ms, refusal };
      waits += 1;
      await pause(seconds * 1000);
    }
  }

  return {
    ask: (call) => ask(call).catch((error: unknown) => ({ ms: 0, refusal: lostReply(error) })),
    waits: () => waits,
  };
}

function refusalOf({ error, response: { status } }: { error?: unknown; response: Response }): Refusal {
  if (!isProblem(error)) return { status, code: 'not a problem document', errors: [] };
  return { status, code: error.code, errors: error.errors ?? [] };
}

/** `fetch` throws a TypeError whose cause is the network error; other errors are rethrown. */
function lostReply(error: unknown): Refusal {
  const cause = error instanceof TypeError ? error.cause : undefined;
  if (!(cause instanceof Error)) throw error;
  return { status: 0, code: 'code' in cause ? String(cause.code) : 'network error', errors: [] };
}
