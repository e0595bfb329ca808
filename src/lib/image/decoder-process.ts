import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { DecodeJob, DecodeReply } from './decode-job.ts';

export type Decoded = Extract<DecodeReply, { result: unknown }>;

/** A process that decodes one picture at a time. */
export type DecoderProcess = {
  /**
   * Sends the job and then the picture, whose pieces must not change meanwhile. Rejects when the process ends or fails
   * before it replies, with `DecodeTimeout` when it takes too long.
   */
  run(job: DecodeJob, pieces: readonly Uint8Array[]): Promise<Decoded>;
  isAlive(): boolean;
  /** Kills the process; resolves when it has ended. */
  kill(): Promise<void>;
  /** Calls `listener` once, when the process has ended for any reason. */
  onEnd(listener: () => void): void;
};

export class DecodeTimeout extends Error {}

/** Limit of the JavaScript heap; pictures lie outside of it. */
const HEAP_MB = 64;
/** A start takes about 120 ms, and longer when every core is busy. */
const START_TIMEOUT_MS = 10_000;
const STDERR_CHARACTERS = 1000;

/** The child's whole environment: none of our secrets. The threshold keeps libvips from writing pictures to disk. */
const ENVIRONMENT = { VIPS_DISC_THRESHOLD: '4g', MALLOC_ARENA_MAX: '2' };

/** Starts `file`, which must reply like decode-worker.ts. It keeps our process alive only while it runs a job. */
export function startDecoderProcess(file: URL, { timeoutMs }: { timeoutMs: number }): DecoderProcess {
  const child = fork(fileURLToPath(file), [], {
    serialization: 'advanced',
    env: ENVIRONMENT,
    execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
  });
  // A process that ends while it reads: `ended` reports it.
  child.stdin?.on('error', () => undefined);
  let stderrTail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-STDERR_CHARACTERS);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    // A failed start emits no `close`.
    child.once('error', (error) => {
      stderrTail = error.message;
      if (child.pid === undefined) resolve();
    });
  });
  const ready = new Promise<void>((resolve) => {
    child.once('message', () => resolve());
  });
  const failure = () => new Error(`the decoder process has ended: ${stderrTail.trim()}`);
  holdOpen(child, false);

  async function answerTo(job: DecodeJob, pieces: readonly Uint8Array[]): Promise<Decoded> {
    await within(START_TIMEOUT_MS, ready, () => new Error('the decoder process did not start in time'));
    const reply = new Promise<DecodeReply>((resolve) => child.once('message', resolve));
    child.send(job, (error) => error !== null && child.kill('SIGKILL'));
    // Not in the message, which would copy them three times and cost a garbage collection per photo.
    for (const piece of pieces) child.stdin?.write(piece);
    const answer = await within(timeoutMs, reply, () => new DecodeTimeout());
    if ('failed' in answer) throw new Error(answer.failed);
    if ('ready' in answer) throw new Error('the decoder process started twice');
    return answer;
  }

  return {
    async run(job, pieces) {
      holdOpen(child, true);
      const died = ended.then(() => Promise.reject(failure()));
      try {
        return await Promise.race([answerTo(job, pieces), died]);
      } finally {
        died.catch(() => undefined);
        holdOpen(child, false);
      }
    },
    isAlive: () => child.connected && child.exitCode === null && child.signalCode === null,
    async kill() {
      child.kill('SIGKILL');
      // Keeps our process alive until the child has ended.
      holdOpen(child, true);
      await ended;
    },
    onEnd: (listener) => void ended.then(listener),
  };
}

function holdOpen(child: ChildProcess, held: boolean) {
  const change = held ? 'ref' : 'unref';
  child[change]();
  child.channel?.[change]();
  // Pipes are sockets, but typed as streams.
  for (const pipe of [child.stdin, child.stderr]) if (pipe instanceof Socket) pipe[change]();
}

async function within<Result>(ms: number, work: Promise<Result>, late: () => Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
