import type { ImageFacts } from './facts.ts';

/** What a decoder process is asked; one job at a time. */
export type DecodeJob = {
  /** The picture without its metadata, as `stripMetadata` gives it. */
  pieces: Uint8Array[];
  /** From its header, as stored. */
  widthPx: number;
  heightPx: number;
  type: ImageFacts['type'];
  /** It gives way to others, and is the last one of its process. */
  isCostly: boolean;
} & DecodeOrder;

/** `check`: do the pixels decode? `thumbnail`: an upright JPEG whose longest side is `side` pixels at most. */
export type DecodeOrder = { kind: 'check' } | { kind: 'thumbnail'; side: number };

/** What a decoder process says, first of all that it is ready. */
export type DecodeReply =
  | { ready: true }
  | { result: PixelCheck | Thumbnail; /** It has grown large: end it. */ spent: boolean }
  /** Not the picture's fault, such as a lack of memory. */
  | { failed: string };

export type PixelCheck = { ok: true; widthPx: number; heightPx: number } | NotDecoded;

export type Thumbnail = { ok: true; jpeg: Uint8Array; widthPx: number; heightPx: number } | NotDecoded;
type NotDecoded = { ok: false; reason: 'undecodable'; detail: string };

export const undecodable = (detail: string): NotDecoded => ({ ok: false, reason: 'undecodable', detail });
