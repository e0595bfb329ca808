import type { PartialAnamnesis } from '../../src/domain/anamnesis/anamnesis.ts';
import type { Language } from '../../src/domain/anamnesis/enums/patient.ts';
import type { Diagnosis, ImageValidity } from '../../src/domain/diagnoses/diagnosis.schemas.ts';
import type { NextQuestion } from '../../src/domain/questions/next-question.ts';
import type { RedFlags } from '../../src/domain/red-flags/red-flags.ts';
import type { Triage } from '../../src/domain/triage/triage.ts';
import type { IntakeState } from '../client/src/apply-answer.ts';

export type Photo = Uint8Array<ArrayBuffer>;

/** What an intake needs, from the first question to the result. */
export interface Backend {
  nextQuestion(state: IntakeState): Promise<NextQuestion>;
  /** Stores the photo and answers the path under which an anamnesis names it. */
  keepPhoto(photo: Photo): Promise<string>;
  judgePhoto(photo: Photo): Promise<ImageValidity>;
  redFlags(anamnesis: PartialAnamnesis): Promise<RedFlags>;
  triage(anamnesis: PartialAnamnesis): Promise<Triage>;
  diagnose(anamnesis: PartialAnamnesis, photo: Photo): Promise<Diagnosis>;
}

/** The gateway, for a patient who has logged in: all that a portal needs. */
export function gateway(url: string, token: string, language: Language): Backend {
  const post = poster(url, { authorization: `Bearer ${token}`, 'accept-language': language });
  return {
    nextQuestion: (state) => post('/api/ai/next_question', nextQuestionBody(state)),
    async keepPhoto(photo) {
      const { images } = await post<{ images: { url: string }[] }>(
        '/api/common/store_images',
        form({ images: photo }),
      );
      return images[0]?.url ?? '';
    },
    judgePhoto: (photo) => post('/api/ai/image_validity', form({ image: photo })),
    redFlags: (anamnesis) => post('/api/ai/red_flags', anamnesis),
    triage: (anamnesis) => post('/api/ai/triage', anamnesis),
    diagnose: (anamnesis, photo) =>
      post('/api/diagnosis', form({ image: photo, anamnesis: JSON.stringify(anamnesis) })),
  };
}

/** The AI service alone. It stores nothing, so that photos get a path that nothing stands behind. */
export function aiService(url: string, language: Language): Backend {
  const post = poster(url, { 'accept-language': language });
  const judgePhoto = (photo: Photo) => post<ImageValidity>('/image_validity', form({ image: photo }));
  const redFlags = (anamnesis: PartialAnamnesis) => post<RedFlags>('/red_flags', anamnesis);
  return {
    nextQuestion: (state) => post('/next_question', nextQuestionBody(state)),
    keepPhoto: async () => '/api/common/images/00000000-0000-7000-8000-000000000000',
    judgePhoto,
    redFlags,
    triage: (anamnesis) => post('/triage', anamnesis),
    async diagnose(anamnesis, photo) {
      const [{ predictions }, flags, verdict] = await Promise.all([
        post<Pick<Diagnosis, 'predictions'>>('/predict_diagnosis', anamnesis),
        redFlags(anamnesis),
        judgePhoto(photo),
      ]);
      return { predictions, red_flags: flags, image_validity: verdict };
    },
  };
}

/** The anamnesis itself, with the skipped questions beside it. */
const nextQuestionBody = ({ anamnesis, skippedQuestions }: IntakeState) => ({
  ...anamnesis,
  skippedQuestions,
});

function form(parts: Record<string, Photo | string>): FormData {
  const data = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') data.append(name, part);
    else data.append(name, new Blob([part], { type: 'image/jpeg' }), 'photo.jpg');
  }
  return data;
}

/** @throws with the problem's own words when the answer is not a 2xx. */
function poster(base: string, headers: Record<string, string>) {
  return async <Reply>(path: string, body: object): Promise<Reply> => {
    const response = await fetch(new URL(path, base), {
      method: 'POST',
      ...(body instanceof FormData
        ? { body, headers }
        : { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Reply;
  };
}
