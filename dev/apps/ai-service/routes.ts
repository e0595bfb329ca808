import type { IncomingMessage } from 'node:http';
import type { PartialAnamnesis } from '../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import type { Language } from '../../../src/contract/language.ts';
import { parseAnamnesis } from '../../../src/domain/intake/anamnesis/parse-anamnesis.ts';
import { splitNextQuestionRequest } from '../../../src/domain/intake/questions/next-question-request.ts';
import { evaluateRedFlags } from '../../../src/domain/intake/red-flags/evaluate-red-flags.ts';
import { redFlagRules } from '../../../src/domain/intake/red-flags/rules/red-flag-rules.ts';
import { isFlagTextDrafted } from '../../../src/domain/intake/red-flags/flag-text.ts';
import { catalogue } from './diagnosis/catalogue.ts';
import { areNamesDrafted } from './diagnosis/disease-name.ts';
import { areExplanationsDrafted } from './diagnosis/explain.ts';
import { areNoticesDrafted } from './diagnosis/notices.ts';
import { diagnose } from './diagnosis/predict.ts';
import { readJsonObject } from './http/body.ts';
import { readImage } from './http/image-body.ts';
import { type FieldError, Refusal } from './http/refusal.ts';
import { judgeHeader, MAX_PIXELS } from './image/inspect.ts';
import { areIssuesDrafted, issueText } from './image/issue-text.ts';
import type { Measurements } from './image/measure.ts';
import type { ImagePool } from './image/pool.ts';
import { flow } from './questions/flow.ts';
import { nextQuestion } from './questions/next-question.ts';
import { triage } from './triage/triage.ts';

export interface Call {
  request: IncomingMessage;
  /** Aborts at the deadline, and when the caller disconnects. */
  signal: AbortSignal;
  /** From Accept-Language; undefined when it contains no supported language. */
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
        questions: new Set(flow.map(({ id }) => id)).size,
      }),
    },
  ],
  ['/predict_diagnosis', { method: 'POST', answer: predictDiagnosis }],
  ['/red_flags', { method: 'POST', answer: checkRedFlags }],
  ['/image_validity', { method: 'POST', answer: checkImage }],
  ['/triage', { method: 'POST', answer: triageCase }],
  ['/next_question', { method: 'POST', answer: askNextQuestion }],
]);

async function predictDiagnosis(call: Call): Promise<object> {
  const { anamnesis, language } = await readAnamnesis(call);
  const isDrafted = [areNamesDrafted, areExplanationsDrafted, areNoticesDrafted].some((it) => it(language));
  return { ...diagnose(anamnesis, language), ...marked(isDrafted) };
}

async function checkRedFlags(call: Call): Promise<object> {
  const { anamnesis, language } = await readAnamnesis(call);
  const redFlags = evaluateRedFlags(anamnesis, redFlagRules, language);
  return { ...redFlags, ...marked(redFlags.hasRedFlags && isFlagTextDrafted(language)) };
}

async function triageCase(call: Call): Promise<object> {
  const { anamnesis, language } = await readAnamnesis(call);
  return triage(anamnesis, language);
}

async function askNextQuestion(call: Call): Promise<object> {
  const body = await readJsonObject(call.request, MAX_ANAMNESIS_BYTES, call.signal);
  const { anamnesis, skippedQuestions, errors } = splitNextQuestionRequest(body);
  const checked = checkAnamnesis(anamnesis, call.language, errors);
  return nextQuestion(checked.anamnesis, skippedQuestions, checked.language);
}

interface CheckedAnamnesis {
  anamnesis: PartialAnamnesis;
  /** From the header, else from the anamnesis, else English. */
  language: Language;
}

async function readAnamnesis({ request, signal, language }: Call): Promise<CheckedAnamnesis> {
  return checkAnamnesis(await readJsonObject(request, MAX_ANAMNESIS_BYTES, signal), language);
}

function checkAnamnesis(
  input: Record<string, unknown>,
  language: Language | undefined,
  otherErrors: readonly FieldError[] = [],
): CheckedAnamnesis {
  const parsed = parseAnamnesis(input, {
    language: language ?? 'en',
    imageUrlHosts: hostsNamedIn(input),
    partial: true,
  });
  const errors = [...(parsed.ok ? [] : parsed.errors), ...otherErrors];
  if (!parsed.ok || errors.length > 0) {
    throw new Refusal(422, 'anamnesis_invalid', 'The anamnesis has wrong fields.', { errors });
  }
  return { anamnesis: parsed.value, language: language ?? parsed.value.language ?? 'en' };
}

/** Marks texts that no native clinician has reviewed yet. */
const marked = (isDrafted: boolean) => (isDrafted ? { machineDrafted: true } : {});

/** The gateway decides which hosts it accepts. This service fetches from none, so it accepts any address. */
function hostsNamedIn({ images }: Record<string, unknown>): string[] {
  if (!Array.isArray(images)) return [];
  return images.flatMap((image: unknown) => {
    const url = typeof image === 'object' && image !== null && 'url' in image ? image.url : undefined;
    return typeof url === 'string' && URL.canParse(url) ? [new URL(url).hostname] : [];
  });
}

async function checkImage({ request, signal, language = 'en', images }: Call): Promise<object> {
  const { bytes, kind } = await readImage(request, signal);
  const atOnce = judgeHeader(bytes);
  if (atOnce === 'too_many_pixels') {
    throw new Refusal(413, 'payload_too_large', `The image has more than ${MAX_PIXELS} pixels.`);
  }
  const { verdict, measured } =
    atOnce ?? (await images.inspect({ bytes, dermoscopic: kind === 'dermoscopic' }, signal));
  return {
    ...verdict,
    issueDetails: verdict.issues.map((code) => ({ code, text: issueText(code, language) })),
    ...(measured === undefined ? {} : { measured: rounded(measured) }),
    ...marked(verdict.issues.length > 0 && areIssuesDrafted(language)),
  };
}

const rounded = (measured: Measurements) =>
  Object.fromEntries(
    Object.entries(measured).map(([name, value]) => [name, Math.round(value * 1000) / 1000]),
  );
