import type { TestApp } from '../support/app.ts';
import { anamnesisPart, imagePart } from '../support/diagnosis.ts';
import { encodePng, mapPixels } from '../support/images.ts';
import { photoPart, type StoredImage } from '../support/stored-images.ts';
import { resetTokenFor, type Tokens, verificationTokenFor } from '../support/accounts.ts';
import type { Recorder } from './recorder.ts';
import { send } from './send.ts';
import { completeAnamnesis, emergencyAnamnesis, minimalAnamnesis, moleAnamnesis } from './patients.ts';

/** People of the examples: the demo users of `npm start`, so that their logins work there as they stand. */
export const patient = { email: 'patient@dermagate.example', password: 'demo-patient-pass' };
const physician = { email: 'physician@dermagate.example', password: 'demo-physician-pass' };
const admin = { email: 'admin@dermagate.example', password: 'demo-admin-pass' };
const newPassword = 'a new and longer passphrase';

export interface People {
  patient: Tokens;
  physician: Tokens;
  admin: Tokens;
}

export async function recordAccounts(app: TestApp<'real'>, recorder: Recorder): Promise<People> {
  const { success } = recorder;
  const register = (account: object, name: string, summary: string, token?: string) =>
    success<Tokens>(
      app,
      { operation: 'registerUser', json: account, token },
      { name, summary, replyAs: 'SampleTokenPair' },
    );

  const adminTokens = await registerQuietly(app, { ...admin, role: 'admin' });
  await registerQuietly(app, { ...patient, role: 'patient' });
  await register(
    { email: 'alice@example.org', password: 'correct horse battery', role: 'patient' },
    'patient',
    'A patient',
  );
  const { access_token: adminToken } = adminTokens;
  await register(
    { ...physician, role: 'physician' },
    'physician',
    'A physician, made by an admin',
    adminToken,
  );
  const logIn = (account: object, name: string, summary: string) =>
    success<Tokens>(
      app,
      { operation: 'logIn', json: account },
      { name, summary, replyAs: 'SampleTokenPair' },
    );
  const patientTokens = await logIn(patient, 'patient', 'The demo patient of npm start');
  const physicianTokens = await logIn(physician, 'physician', 'The demo physician of npm start');

  const invitation = await success<{ invitation_token: string }>(
    app,
    { operation: 'inviteUser', token: adminToken, json: { email: 'bob@example.org', role: 'physician' } },
    { name: 'physician', summary: 'A physician, where no mail server is configured' },
  );
  await success(
    app,
    { operation: 'listInvitations', token: adminToken },
    { name: 'open', summary: 'One invitation is open' },
  );
  await register(
    { invitation_token: invitation.invitation_token, password: 'correct horse battery' },
    'invitation',
    'With an invitation, which brings email, role and tenant',
  );

  for (const [name, summary, tokens] of [
    ['patient', 'A patient', patientTokens],
    ['physician', 'A physician, with a profile', physicianTokens],
  ] as const) {
    await success(app, { operation: 'getMe', token: tokens.access_token }, { name, summary });
  }
  await success(
    app,
    { operation: 'listSessions', token: patientTokens.access_token },
    { name: 'two_devices', summary: 'Logged in on two devices' },
  );
  return { patient: patientTokens, physician: physicianTokens, admin: adminTokens };
}

async function registerQuietly(app: TestApp<'real'>, account: object): Promise<Tokens> {
  const reply = await send(app, { operation: 'registerUser', json: account });
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Tokens;
}

/** Whatever ends sessions: with accounts of its own. */
export async function recordEnds(app: TestApp<'real'>, { success }: Recorder): Promise<void> {
  const account = { email: 'carol@example.org', password: 'correct horse battery', role: 'patient' };
  const told = (name: string, summary: string) => ({ name, summary });
  const tokens = await registerQuietly(app, account);
  const next = await success<Tokens>(
    app,
    { operation: 'refreshSession', json: { refresh_token: tokens.refresh_token } },
    told('next_pair', 'The next pair'),
  );
  const changed = { current_password: account.password, new_password: newPassword };
  await success(
    app,
    { operation: 'changePassword', token: next.access_token, json: changed },
    told('changed', 'The password is replaced'),
  );
  const verification = await verificationTokenFor(app, tokens.access_token);
  await success(
    app,
    { operation: 'verifyEmail', json: { token: verification } },
    told('verified', 'The address is verified'),
  );
  await success(
    app,
    { operation: 'resendVerification', json: { email: 'alice@example.org' } },
    told('requested', 'Whether or not there is anything to verify'),
  );
  const requested = { operation: 'requestPasswordReset', json: { email: 'alice@example.org' } };
  await success(app, requested, told('requested', 'Whether or not the address is registered'));
  const token = await resetTokenFor(app, account.email);
  await success(
    app,
    { operation: 'resetPassword', json: { token, new_password: 'another good passphrase' } },
    told('reset', 'The password is replaced'),
  );
  await success(
    app,
    { operation: 'logOut', json: { refresh_token: next.refresh_token } },
    told('session', 'Ends the session, or has nothing to end'),
  );
}

export async function recordImages(
  app: TestApp<'real'>,
  { success }: Recorder,
  { access_token: token }: Tokens,
  photo: Uint8Array,
): Promise<StoredImage> {
  const { images } = await success<{ images: [StoredImage] }>(
    app,
    {
      operation: 'storeImages',
      token,
      headers: { 'idempotency-key': 'upload-0001' },
      form: [photoPart(photo)],
    },
    { name: 'one_photo', summary: 'One photo' },
  );
  return images[0];
}

const languages = [
  ['en', 'in English'],
  ['he', 'in Hebrew'],
  ['ar', 'in Arabic'],
  ['es', 'in Spanish'],
] as const;

/** What the reference AI service says, in every language. */
export async function recordMedicine(
  app: TestApp<'real'>,
  { success, schema }: Recorder,
  { access_token: token }: Tokens,
  stored: StoredImage,
  photo: Uint8Array,
): Promise<void> {
  // Swagger UI fills the parts of a form from their schemas only.
  schema('Anamnesis', completeAnamnesis);
  const ask = (
    operation: string,
    json: unknown,
    name: string,
    summary: string,
    lang?: string,
    requestAs?: string,
  ) =>
    success(
      app,
      { operation, token, json, ...(lang !== undefined && { query: { lang } }) },
      { name, summary, ...(requestAs !== undefined && { requestAs }) },
    );

  const rash = { ...completeAnamnesis, skippedQuestions: ['q_medications'] };
  await ask('getNextQuestion', {}, 'first', 'The first question');
  const half = { patient: moleAnamnesis.patient, complaint: { category: 'growth_or_mole' } };
  for (const [lang, inWords] of languages) {
    await ask('getNextQuestion', half, lang, `A question with choices, ${inWords}`, lang, 'HalfAnamnesis');
  }
  await ask('getNextQuestion', rash, 'end', 'Nothing is left to ask', undefined, 'SkippingAnamnesis');
  await ask(
    'getNextQuestion',
    emergencyAnamnesis,
    'emergency',
    'An emergency ends the questions',
    'en',
    'EmergencyAnamnesis',
  );

  for (const operation of ['predictDiagnosis', 'checkRedFlags', 'triageCase']) {
    await ask(
      operation,
      completeAnamnesis,
      'complete',
      'A complete questionnaire',
      undefined,
      'CompleteAnamnesis',
    );
    await ask(
      operation,
      moleAnamnesis,
      'suspicious_mole',
      'A suspicious mole, not complete',
      'en',
      'MoleAnamnesis',
    );
    await ask(
      operation,
      emergencyAnamnesis,
      'emergency',
      'An emergency, in Arabic',
      'ar',
      'EmergencyAnamnesis',
    );
    await ask(
      operation,
      minimalAnamnesis,
      'minimal',
      'No more than what is required, in Spanish',
      'es',
      'MinimalAnamnesis',
    );
  }

  const diagnose = (
    answers: unknown,
    name: string,
    summary: string,
    lang: string,
    image = photo,
    file = 'photo.jpg',
  ) =>
    success(
      app,
      {
        operation: 'createDiagnosis',
        token,
        query: { lang },
        form: [imagePart(image, { filename: file }), anamnesisPart(answers)],
      },
      { name, summary },
    );
  await diagnose(completeAnamnesis, 'complete', 'A complete questionnaire', 'en');
  await diagnose(minimalAnamnesis, 'minimal', 'No more than what is required, in Spanish', 'es');
  await diagnose(moleAnamnesis, 'suspicious_mole', 'A suspicious mole, in Hebrew', 'he');
  await diagnose(
    completeAnamnesis,
    'unusable_photo',
    'A photo that shows nothing, in Arabic',
    'ar',
    grey,
    'grey.png',
  );

  const check = { operation: 'checkImage', token };
  await success(
    app,
    { ...check, json: { imageData: grey.toString('base64') } },
    { name: 'bytes', summary: 'The bytes of an unusable photo in base64' },
  );
  await success(
    app,
    { ...check, json: { imageUrl: stored.url } },
    { name: 'stored', summary: 'A stored photo' },
  );
  await success(
    app,
    { ...check, form: [imagePart(photo)] },
    { name: 'upload', summary: 'A photo as a form' },
  );
}

/** The smallest of photos: of one colour, so that its base64 is short. */
const grey = encodePng(mapPixels(16, 16, () => [200, 150, 130]));

export async function recordDiscovery(app: TestApp<'real'>, { success }: Recorder): Promise<void> {
  await success(app, { operation: 'getHealthy' }, { name: 'healthy', summary: 'The process answers' });
  await success(app, { operation: 'getHealth' }, { name: 'healthy', summary: 'All is well' });
  await success<object>(
    app,
    { operation: 'getOpenApiDocument' },
    {
      name: 'beginning',
      summary: 'How the document begins',
      shorten: (reply) => {
        const { openapi, info } = reply as { openapi: string; info: { title: string; version: string } };
        return { openapi, info: { title: info.title, version: info.version }, paths: {} };
      },
    },
  );
}
