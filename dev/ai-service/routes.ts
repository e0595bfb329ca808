import type { IncomingMessage } from 'node:http';
import type { PartialAnamnesis } from '../../src/domain/anamnesis/anamnesis.ts';
import type { Language } from '../../src/domain/anamnesis/enums/patient.ts';
import { parseAnamnesis } from '../../src/domain/anamnesis/parse-anamnesis.ts';
import { evaluateRedFlags } from '../../src/domain/red-flags/evaluate-red-flags.ts';
import { catalogue } from './diagnosis/catalogue.ts';
import { predict } from './diagnosis/predict.ts';
import { readJsonObject } from './http/body.ts';
import { readImage } from './http/image-body.ts';
import { Refusal } from './http/refusal.ts';
import { judgeHeader, MAX_PIXELS } from './image/inspect.ts';
import { issueText } from './image/issue-text.ts';
import type { Measurements } from './image/measure.ts';
import type { ImagePool } from './image/pool.ts';
import { redFlagRules } from './red-flag-rules.ts';

export interface Call {
  request: IncomingMessage;
  /** Aborts at the deadline, and when the caller is gone. */
  signal: AbortSignal;
  /** From Accept-Language; undefined when it names none of ours. */
  language: Language | undefined;
  images: ImagePool;
}

export interface Route {
  method: 'GET' | 'POST';
  /** Answered without the key. */
  open?: true;
  answer: (call: Call) => Promise<object>;
}

const MAX_ANAMNESIS_BYTES = 64 * 1024;

export const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  [
    '/healthy',
    {
      method: 'GET',
      open: true,
      answer: async () => ({
        status: 'healthy',
        diseases: catalogue.length,
        redFlagRules: redFlagRules.length,
      }),
    },
  ],
  [
    '/predict_diagnosis',
    {
      method: 'POST',
      answer: async (call) => {
        const anamnesis = await readAnamnesis(call);
        return { predictions: predict(anamnesis, call.language ?? anamnesis.language) };
      },
    },
  ],
  [
    '/red_flags',
    {
      method: 'POST',
      answer: async (call) => evaluateRedFlags(await readAnamnesis(call), redFlagRules, call.language),
    },
  ],
  ['/image_validity', { method: 'POST', answer: checkImage }],
]);

async function readAnamnesis({ request, signal, language }: Call): Promise<PartialAnamnesis> {
  const input = await readJsonObject(request, MAX_ANAMNESIS_BYTES, signal);
  const parsed = parseAnamnesis(input, {
    language: language ?? 'en',
    imageUrlHosts: hostsNamedIn(input),
    partial: true,
  });
  if (parsed.ok) return parsed.value;
  throw new Refusal(422, 'anamnesis_invalid', 'The anamnesis has wrong fields.', { errors: parsed.errors });
}

/** The gateway decides which hosts it accepts. This service fetches from none, so it accepts what it is sent. */
function hostsNamedIn({ images }: Record<string, unknown>): string[] {
  if (!Array.isArray(images)) return [];
  return images.flatMap((image: unknown) => {
    const url = typeof image === 'object' && image !== null && 'url' in image ? image.url : undefined;
    return typeof url === 'string' && URL.canParse(url) ? [new URL(url).hostname] : [];
  });
}

async function checkImage({ request, signal, language, images }: Call): Promise<object> {
  const { bytes, kind } = await readImage(request, signal);
  const atOnce = judgeHeader(bytes);
  if (atOnce === 'too_many_pixels') {
    throw new Refusal(413, 'payload_too_large', `The image has more than ${MAX_PIXELS} pixels.`);
  }
  const { verdict, measured } =
    atOnce ?? (await images.inspect({ bytes, dermoscopic: kind === 'dermoscopic' }, signal));
  return {
    ...verdict,
    issueDetails: verdict.issues.map((code) => ({ code, text: issueText(code, language ?? 'en') })),
    ...(measured === undefined ? {} : { measured: rounded(measured) }),
  };
}

const rounded = (measured: Measurements) =>
  Object.fromEntries(
    Object.entries(measured).map(([name, value]) => [name, Math.round(value * 1000) / 1000]),
  );
