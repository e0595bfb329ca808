import { expect, test } from 'vitest';
import {
  applyAnswer,
  type Anamnesis,
  inMemory,
  type IntakeState,
} from '../../dev/packages/client/src/index.ts';
import { answerOf, personas } from '../../dev/tools/intake/personas.ts';
import { freshEmail, goodPassword } from '../support/accounts.ts';
import { testApp } from '../support/app.ts';
import { clientOf } from '../support/client.ts';
import { skinPhoto } from '../support/images.ts';

// What a portal does on a new patient's first day, with nothing but the client: when the contract breaks, this does not compile.

const app = await testApp({ ai: 'real', env: { TRUSTED_PROXY_HOPS: '2' } });
const [persona] = personas;
const bytes = await skinPhoto({ format: 'jpeg', width: 1024, height: 768 });
const photo = new File([new Uint8Array(bytes)], 'arm.jpg', { type: 'image/jpeg' });

test("a patient's first visit", async () => {
  const tokens = inMemory();
  let signedOut = 0;
  const api = clientOf(app, { tokens, onSignedOut: () => void (signedOut += 1) });
  const credentials = { email: freshEmail('first-visit'), password: goodPassword };

  const registered = await api.register({ ...credentials, role: 'patient' }, { lang: 'es' });
  expect(registered.response.status).toBe(201);
  const me = await api.GET('/api/auth/me');
  expect(me.data).toMatchObject({ user: { email: credentials.email, role: 'patient' } });

  const key = crypto.randomUUID();
  const stored = await api.POST('/api/common/store_images', {
    params: { header: { 'idempotency-key': key } },
    body: { images: [photo] },
  });
  const image = stored.data?.images[0];
  expect(image).toMatchObject({ contentType: 'image/jpeg', widthPx: 1024, heightPx: 768 });
  if (image === undefined || persona === undefined) throw new Error('no image or no persona');

  let state: IntakeState = { anamnesis: {}, skippedQuestions: [] };
  const asked: string[] = [];
  for (;;) {
    const { data: question } = await api.POST('/api/ai/next_question', {
      params: { query: { lang: 'es' } },
      body: { ...state.anamnesis, skippedQuestions: [...state.skippedQuestions] },
    });
    if (question === undefined) throw new Error(`no question after ${asked.join(', ')}`);
    if (question.isComplete) break;
    expect(asked).not.toContain(question.questionId);
    asked.push(question.questionId);
    const isCamera = question.questionType === 'camera';
    state = applyAnswer(state, question, isCamera ? image.url : answerOf(persona, question.questionId, 'es'));
  }
  expect(asked.length).toBeGreaterThan(20);
  expect(new Set(state.anamnesis.images?.map(({ url }) => url))).toEqual(new Set([image.url]));

  const byFile = await api.POST('/api/ai/image_validity', { body: { image: photo } });
  const byUrl = await api.POST('/api/ai/image_validity', { body: { imageUrl: image.url } });
  expect(byFile.data).toMatchObject({ isValid: true });
  expect(byUrl.data).toMatchObject({ isValid: true });

  const { data: diagnosis } = await api.POST('/api/diagnosis', {
    params: { query: { lang: 'es' } },
    body: { image: photo, anamnesis: state.anamnesis as Anamnesis },
  });
  expect(diagnosis?.predictions).toHaveLength(5);
  expect(diagnosis?.red_flags.flags).toEqual([]);
  expect(diagnosis?.image_validity.isValid).toBe(true);

  const { data: seen, response } = await api.GET('/api/common/images/{uuid}', {
    params: { path: { uuid: image.uuid } },
    parseAs: 'blob',
  });
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  expect(seen?.size).toBe(image.sizeBytes);

  const password = `${goodPassword} again`;
  const changed = await api.POST('/api/auth/change-password', {
    body: { current_password: credentials.password, new_password: password },
  });
  expect(changed.response.status).toBe(200);
  expect((await api.GET('/api/auth/me')).response.status).toBe(200);

  expect((await api.logOut())?.response.status).toBe(204);
  expect(tokens.load()).toBeUndefined();
  expect((await api.GET('/api/auth/me')).error?.code).toBe('authentication_required');
  expect((await api.logIn(credentials)).error?.code).toBe('invalid_credentials');
  expect((await api.logIn({ ...credentials, password })).response.status).toBe(200);
  expect(signedOut).toBe(0);
});
