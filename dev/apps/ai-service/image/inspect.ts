import { decodeImage } from './decode.ts';
import { readImageHeader } from './header.ts';
import { measure, type Measurements } from './measure.ts';
import { judge, unusable, type ImageVerdict } from './verdict.ts';

export interface ImageJob {
  bytes: Uint8Array;
  dermoscopic: boolean;
}

export interface Inspection {
  verdict: ImageVerdict;
  /** Absent when there were no pixels to measure. */
  measured?: Measurements;
}

/** Maximum number of pixels; the same limit as the gateway's. */
export const MAX_PIXELS = 50_000_000;

/** A verdict that needs no pixels; undefined when the image must be decoded. */
export function judgeHeader(bytes: Buffer): Inspection | 'too_many_pixels' | undefined {
  const header = readImageHeader(bytes);
  // Converting CMYK to RGB needs a colour profile, which the codec does not support.
  if (header === undefined || !isDecodable(header.format) || header.components === 4) {
    return { verdict: unusable(bytes.length === 0 ? 'unreadable' : 'unsupported_format') };
  }
  if (header.width === 0 || header.height === 0) return { verdict: unusable('unreadable') };
  return header.width * header.height > MAX_PIXELS ? 'too_many_pixels' : undefined;
}

/** Decodes and measures bytes that `judgeHeader` accepted. */
export async function inspectImage(bytes: Uint8Array, dermoscopic: boolean): Promise<Inspection> {
  const format = readImageHeader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))?.format;
  if (format === undefined || !isDecodable(format)) return { verdict: unusable('unsupported_format') };
  const pixels = await decodeImage(bytes);
  if (pixels === undefined) return { verdict: unusable('unreadable') };
  const measured = measure(pixels);
  return { verdict: judge(measured, { dermoscopic }), measured };
}

const isDecodable = (format: string): format is 'jpeg' | 'png' => format === 'jpeg' || format === 'png';
