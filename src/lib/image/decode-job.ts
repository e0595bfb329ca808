import type { ImageFacts } from './facts.ts';

/**
 * What the decode worker is asked; one job at a time. `bytes` is the picture without what follows it, the
 * worker's own copy. Further kinds of work become further members of this union.
 */
export type DecodeJob = { kind: 'check'; bytes: Uint8Array<ArrayBuffer>; facts: ImageFacts };

export type DecodeReply = {
  result: PixelCheck;
  /** The worker holds much memory or a decoder that failed: end it. */
  spent: boolean;
};

export type PixelCheck =
  | { ok: true; widthPx: number; heightPx: number }
  | { ok: false; reason: 'undecodable'; detail: string };

export const undecodable = (detail: string): PixelCheck => ({ ok: false, reason: 'undecodable', detail });
