// Records an intake in every language as a readable file:
//   node dev/run/run.mjs dev/tools/intake/record-transcripts.ts                                  the reference AI service alone
//   node dev/run/run.mjs dev/tools/intake/record-transcripts.ts --gateway URL --token TOKEN      everything through the gateway
// `--to FOLDER` replaces the default folder dev/tools/intake/transcripts.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Language } from '../../../src/contract/language.ts';
import { startAiService } from '../../apps/ai-service/server.ts';
import { createDermagate, inMemory } from '../../packages/client/src/index.ts';
import { drawDemoPhoto } from '../../run/demo/photo.ts';
import { scriptArguments } from '../../services/script-arguments.ts';
import { aiService, type Backend, gateway, type Photo } from './backends.ts';
import { interview } from './interview.ts';
import { answerOf, personas } from './personas.ts';
import { transcriptOf } from './transcript.ts';

/** The transcript of all personas in one language. The same backend gives the same text. */
export async function recordTranscript(backend: Backend, photo: Photo, language: Language): Promise<string> {
  const interviews = [];
  for (const persona of personas) {
    const answerTo = ({
      questionId,
      required,
      optionValues = [],
    }: Awaited<ReturnType<Backend['nextQuestion']>>) => {
      const answer = answerOf(persona, questionId, language);
      if (answer === undefined && required) throw new Error(`${persona.title}: no answer to ${questionId}`);
      const chosen = Array.isArray(answer) ? answer : [answer];
      if (
        optionValues.length > 0 &&
        answer !== undefined &&
        !chosen.every((it) => optionValues.includes(it))
      ) {
        throw new Error(`${persona.title}: ${questionId} does not offer ${chosen.join(', ')}`);
      }
      return answer;
    };
    interviews.push({ title: persona.title, ...(await interview(backend, photo, answerTo)) });
  }
  return transcriptOf(language, interviews);
}

export async function demoPhoto(): Promise<Photo> {
  const folder = mkdtempSync(join(tmpdir(), 'intake-'));
  try {
    const file = join(folder, 'photo.jpg');
    await drawDemoPhoto(file);
    return new Uint8Array(readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function main(): Promise<void> {
  const { values } = scriptArguments('usage: npm run intake [-- --gateway URL --token TOKEN] [--to FOLDER]', {
    options: { gateway: { type: 'string' }, token: { type: 'string' }, to: { type: 'string' } },
  });
  const { gateway: url, token, to = join(import.meta.dirname, 'transcripts') } = values;
  if (url !== undefined && token === undefined) throw new Error('--gateway needs --token, an access token.');
  const own = url === undefined ? await startAiService() : undefined;
  try {
    const photo = await demoPhoto();
    mkdirSync(to, { recursive: true });
    for (const language of Language.options) {
      const backend =
        own === undefined ? gateway(signedIn(url, token), language) : aiService(own.url, language);
      const file = join(to, `${language}.md`);
      writeFileSync(file, await recordTranscript(backend, photo, language));
      console.log(file);
    }
  } finally {
    await own?.stop();
  }
}

function signedIn(baseUrl = '', token = '') {
  return createDermagate({ baseUrl, tokens: inMemory(), headers: { authorization: `Bearer ${token}` } });
}

if (import.meta.main) await main();
