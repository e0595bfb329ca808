import type { ImageFacts } from './facts.ts';

/** A job for a decoder process, which runs one at a time. The picture's bytes follow on its standard input. */
export type DecodeJob = {
  /** Length of the picture without its metadata, as `stripMetadata` returns it. */
  bytes: number;
  /** From the picture's header, before orientation is applied. */
  widthPx: number;
  heightPx: number;
  type: ImageFacts['type'];
  /** A costly job runs at a lower priority, and its process ends after it. */
  isCostly: boolean;
} & DecodeOrder;

/** `check` tests whether all pixels decode; `thumbnail` makes an upright JPEG with a longest side of at most `side` px. */
export type DecodeOrder = { kind: 'check' } | { kind: 'thumbnail'; side: number };

/** A message from a decoder process; the first one is `ready`. */
export type DecodeReply =
  | { ready: true }
  | { result: PixelCheck | Thumbnail; /** The process must be replaced. */ spent: boolean }
  /** Not caused by the picture: out of memory, for example. */
  | { failed: string };

export type PixelCheck = { ok: true; widthPx: number; heightPx: number } | NotDecoded;

export type Thumbnail = { ok: true; jpeg: Uint8Array; widthPx: number; heightPx: number } | NotDecoded;
type NotDecoded = { ok: false; reason: 'undecodable'; detail: string };

export const undecodable = (detail: string): NotDecoded => ({ ok: false, reason: 'undecodable', detail });
