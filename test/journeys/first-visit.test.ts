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
  const onSignedOut = () => void (signedOut += 1);
  const api = clientOf(app, { tokens, language: () => 'es', onSignedOut });
  const credentials = { email: freshEmail('first-visit'), password: goodPassword };

  await api.session.register({ ...credentials, role: 'patient' });
  const me = await api.session.me();
  expect(me).toMatchObject({ user: { email: credentials.email, role: 'patient' } });

  const stored = await api.images.upload([photo], { idempotencyKey: crypto.randomUUID() });
  const [image] = stored.images;
  expect(image).toMatchObject({ contentType: 'image/jpeg', widthPx: 1024, heightPx: 768 });
  if (image === undefined || persona === undefined) throw new Error('no image or no persona');

  let state: IntakeState = { anamnesis: {}, skippedQuestions: [] };
  const asked: string[] = [];
  for (;;) {
    const question = await api.intake.nextQuestion(state);
    if (question.isComplete) break;
    expect(asked).not.toContain(question.questionId);
    asked.push(question.questionId);
    const isCamera = question.questionType === 'camera';
    state = applyAnswer(state, question, isCamera ? image.url : answerOf(persona, question.questionId, 'es'));
  }
  expect(asked.length).toBeGreaterThan(20);
  expect(new Set(state.anamnesis.images?.map(({ url }) => url))).toEqual(new Set([image.url]));

  expect(await api.images.check({ image: photo })).toMatchObject({ isValid: true });
  expect(await api.images.check({ imageUrl: image.url })).toMatchObject({ isValid: true });

  const anamnesis = state.anamnesis as Anamnesis;
  const diagnosis = await api.diagnosis.create({ image: photo, anamnesis });
  expect(diagnosis.predictions).toHaveLength(5);
  expect(diagnosis.red_flags.flags).toEqual([]);
  expect(diagnosis.image_validity.isValid).toBe(true);

  const seen = await api.images.get(image.uuid);
  expect([seen.type, seen.size]).toEqual(['image/jpeg', image.sizeBytes]);

  const password = `${goodPassword} again`;
  await api.account.changePassword({ current_password: credentials.password, new_password: password });
  expect((await api.session.me()).user.uuid).toBe(me.user.uuid);

  await api.session.logOut();
  expect(tokens.load()).toBeUndefined();
  await expect(api.session.me()).rejects.toMatchObject({ code: 'authentication_required' });
  await expect(api.session.logIn(credentials)).rejects.toMatchObject({ code: 'invalid_credentials' });
  await api.session.logIn({ ...credentials, password });
  expect((await api.session.me()).user.uuid).toBe(me.user.uuid);
  expect(signedOut).toBe(0);
});
