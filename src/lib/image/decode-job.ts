import type { ImageFacts } from './facts.ts';

/**
 * What the decode worker is asked; one job at a time. `bytes` is the picture without what follows it, the
 * worker's own copy. Further kinds of work become further members of this union.
 */
export type DecodeJob = { bytes: Uint8Array<ArrayBuffer>; facts: ImageFacts } & DecodeOrder;

/** `check`: do the pixels decode? `thumbnail`: an upright JPEG whose longest side is `side` pixels at most. */
export type DecodeOrder = { kind: 'check' } | { kind: 'thumbnail'; side: number };

export type DecodeReply = {
  result: PixelCheck | Thumbnail;
  /** The worker holds much memory or a decoder that failed: end it. */
  spent: boolean;
};

export type PixelCheck = { ok: true; widthPx: number; heightPx: number } | NotDecoded;

export type Thumbnail = { ok: true; jpeg: Uint8Array; widthPx: number; heightPx: number } | NotDecoded;
type NotDecoded = { ok: false; reason: 'undecodable'; detail: string };

export const undecodable = (detail: string): NotDecoded => ({ ok: false, reason: 'undecodable', detail });
