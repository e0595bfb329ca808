import type {
  Anamnesis,
  Dermagate,
  Diagnosis,
  ImageValidity,
  IntakeState,
  Language,
  NextQuestion,
  PartialAnamnesis,
  RedFlags,
  Triage,
} from '../../packages/client/src/index.ts';

export type Photo = Uint8Array<ArrayBuffer>;

/** The calls of an intake, from the first question to the result. */
export interface Backend {
  nextQuestion(state: IntakeState): Promise<NextQuestion>;
  /** Stores the photo and returns its path for the anamnesis. */
  keepPhoto(photo: Photo): Promise<string>;
  judgePhoto(photo: Photo): Promise<ImageValidity>;
  redFlags(anamnesis: PartialAnamnesis): Promise<RedFlags>;
  triage(anamnesis: PartialAnamnesis): Promise<Triage>;
  diagnose(anamnesis: PartialAnamnesis, photo: Photo): Promise<Diagnosis>;
}

/** The gateway for a logged-in patient: every call of a portal. */
export function gateway(api: Dermagate, language: Language): Backend {
  const lang = language;
  return {
    nextQuestion: (state) => api.intake.nextQuestion(state, { lang }),
    async keepPhoto(photo) {
      const { images } = await api.images.upload([fileOf(photo)]);
      return images[0]?.url ?? '';
    },
    judgePhoto: (photo) => api.images.check({ image: fileOf(photo) }, { lang }),
    redFlags: (anamnesis) => api.intake.redFlags(anamnesis, { lang }),
    triage: (anamnesis) => api.intake.triage(anamnesis, { lang }),
    diagnose: (anamnesis, photo) =>
      // The gateway checks whether it is complete.
      api.diagnosis.create({ image: fileOf(photo), anamnesis: anamnesis as Anamnesis }, { lang }),
  };
}

/** The AI service alone. It stores nothing, so photos get a dummy path. */
export function aiService(url: string, language: Language): Backend {
  const post = poster(url, { 'accept-language': language });
  const judgePhoto = (photo: Photo) => post<ImageValidity>('/image_validity', imageForm(photo));
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
  skippedQuestions: [...skippedQuestions],
});

function imageForm(photo: Photo): FormData {
  const form = new FormData();
  form.append('image', fileOf(photo));
  return form;
}

const fileOf = (photo: Photo) => new File([photo], 'photo.jpg', { type: 'image/jpeg' });

/** @throws with the text of the problem when the status is not 2xx. */
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
