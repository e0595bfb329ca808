import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { problemsOf } from '../../src/lib/http/endpoint-problems.ts';
import { defaultBodyLimit } from '../../src/lib/http/parse-input.ts';
import type { ProblemCode } from '../../src/contract/problem.ts';
import { claimsOf, createTenant, type Tokens } from '../support/accounts.ts';
import type { Instance } from '../support/another-instance.ts';
import type { TestApp } from '../support/app.ts';
import { anamnesisPart, imagePart } from '../support/diagnosis.ts';
import { blankPng } from '../support/images.ts';
import { photoPart, type StoredImage } from '../support/stored-images.ts';
import { minimalAnamnesis, wrongAnamnesis } from './patients.ts';
import type { Recorder } from './recorder.ts';
import { endpointOf, type Sent, send } from './send.ts';
import { patient, type People } from './successes.ts';

/** A request of every operation that is right and changes nothing of note. */
export function goodRequests(
  { patient: me, admin }: People,
  stored: StoredImage,
  photo: Uint8Array,
): readonly Sent[] {
  const token = me.access_token;
  const answers = minimalAnamnesis;
  const password = 'correct horse battery';
  return [
    { operation: 'registerUser', json: { email: 'dan@example.org', password, role: 'patient' } },
    { operation: 'logIn', json: patient },
    { operation: 'refreshSession', json: { refresh_token: 'dgr_unknown' } },
    { operation: 'logOut', json: { refresh_token: 'dgr_unknown' } },
    { operation: 'logOutEverywhere', token },
    { operation: 'getMe', token },
    { operation: 'listSessions', token },
    { operation: 'endSession', token, params: { id: randomUUID() } },
    { operation: 'requestPasswordReset', json: { email: 'dan@example.org' } },
    { operation: 'resetPassword', json: { token: `dgp_${'A'.repeat(43)}`, new_password: password } },
    {
      operation: 'changePassword',
      token,
      json: { current_password: 'not my password', new_password: password },
    },
    {
      operation: 'inviteUser',
      token: admin.access_token,
      json: { email: 'erin@example.org', role: 'patient' },
    },
    { operation: 'verifyEmail', json: { token: `dgv_${'A'.repeat(43)}` } },
    { operation: 'resendVerification', json: { email: 'dan@example.org' } },
    { operation: 'listInvitations', token: admin.access_token },
    { operation: 'revokeInvitation', token: admin.access_token, params: { uuid: randomUUID() } },
    { operation: 'createDiagnosis', token, form: [imagePart(photo), anamnesisPart(answers)] },
    { operation: 'storeImages', token, form: [photoPart(photo)] },
    { operation: 'getImage', token, params: { uuid: stored.uuid } },
    { operation: 'getNextQuestion', token, json: {} },
    { operation: 'predictDiagnosis', token, json: answers },
    { operation: 'checkRedFlags', token, json: answers },
    { operation: 'triageCase', token, json: answers },
    { operation: 'checkImage', token, json: { imageData: Buffer.from(photo).toString('base64') } },
  ];
}

/** Bodies and parameters that are refused, with mistakes that people make. */
const mistakes: Readonly<Record<string, Partial<Sent>>> = {
  registerUser: { json: { email: 'alice at example.org', password: 'short', role: 'nurse', phone: '1' } },
  logIn: { json: { email: 'alice@example.org' } },
  refreshSession: { json: { refreshToken: 'dgr_' } },
  logOut: { json: {} },
  requestPasswordReset: { json: { email: 'alice' } },
  resetPassword: { json: { token: 'dgp_', new_password: '1234' } },
  changePassword: { json: { current_password: 'correct horse battery', new_password: '1234' } },
  verifyEmail: { json: {} },
  resendVerification: { json: { email: 'alice' } },
  inviteUser: { json: { email: 'bob@example.org', role: 'surgeon' } },
  createDiagnosis: { headers: { 'idempotency-key': 'short' } },
  storeImages: { headers: { 'idempotency-key': 'short' } },
  getImage: { query: { variant: 'huge' } },
  getNextQuestion: { json: [] },
  predictDiagnosis: { json: [] },
  checkRedFlags: { json: [] },
  triageCase: { json: [] },
  checkImage: { json: { imageData: 'not base64!' } },
};

/** Refusals that follow from how an endpoint is declared: those of tokens, bodies and parameters. */
export async function recordGeneralRefusals(
  app: TestApp<'real'>,
  recorder: Recorder,
  good: readonly Sent[],
  { patient: me }: People,
): Promise<void> {
  const expired = await expiredToken(app, me);
  for (const { operation, ...request } of good) {
    const endpoint = endpointOf(operation);
    const codes = new Set(problemsOf(endpoint));
    const { json: _json, form: _form, ...bare } = request;
    const unusual: Partial<Record<ProblemCode, Partial<Sent>>> = {
      authentication_required: { ...request, token: undefined, headers: { authorization: 'Basic c2FtcGxl' } },
      token_invalid: { ...request, token: 'no.such.token' },
      token_expired: { ...request, token: expired },
      forbidden: { ...request, token: me.access_token },
      malformed_json:
        endpoint.body === undefined
          ? { ...bare, form: [...(request.form?.slice(0, 1) ?? []), anamnesisPart('{"patient": {')] }
          : { ...bare, raw: '{"email": ' },
      validation_error: { ...request, ...mistakes[operation] },
      invalid_multipart: { ...bare, form: [{ name: 'photo', filename: 'photo.jpg', body: 'x' }] },
      length_required: { ...bare, ...chunked(endpoint.multipart !== undefined) },
      payload_too_large:
        endpoint.multipart === undefined
          ? { ...bare, raw: ' '.repeat((endpoint.bodyLimit ?? defaultBodyLimit) + 1) }
          : { ...bare, form: tooManyPixels(operation) },
      unsupported_media_type: { ...bare, raw: 'email=alice', type: 'application/x-www-form-urlencoded' },
      not_found: { ...request, params: { id: randomUUID(), uuid: randomUUID() } },
    };
    for (const [code, sent] of Object.entries(unusual) as [ProblemCode, Partial<Sent>][]) {
      if (!codes.has(code) || (code === 'not_found' && endpoint.params === undefined)) continue;
      await recorder.problem(app, { operation, ...sent }, code);
    }
  }
  await recorder.problem(app, { operation: 'getDocsAsset', params: { file: 'index.html' } }, 'not_found');
}

function chunked(isForm: boolean): Partial<Sent> {
  const raw = new Blob(['{}']).stream();
  return { raw, type: isForm ? 'multipart/form-data; boundary=sample' : 'application/json' };
}

function tooManyPixels(operation: string) {
  const body = blankPng(10_000, 8000);
  const file = { filename: 'huge.png', type: 'image/png' };
  return operation === 'storeImages'
    ? [photoPart(body, file)]
    : [imagePart(body, file), ...(operation === 'createDiagnosis' ? [anamnesisPart(minimalAnamnesis)] : [])];
}

/** A token of this user that was good until a minute ago. */
async function expiredToken(app: TestApp<'real'>, { access_token: token }: Tokens): Promise<string> {
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as {
    alg: string;
  };
  const exp = Math.floor(Date.now() / 1000) - 60;
  const claims = { ...claimsOf(token), iat: exp - 1800, nbf: exp - 1800, exp };
  return await new SignJWT(claims)
    .setProtectedHeader(header)
    .sign(new TextEncoder().encode(app.env['SECRET_KEY']));
}

/** Refusals that single endpoints have for what was asked. `strict` lets only patients register. */
export async function recordOwnRefusals(
  app: TestApp<'real'>,
  strict: Instance,
  { problem }: Recorder,
  good: readonly Sent[],
  { patient: me }: People,
): Promise<void> {
  const token = me.access_token;
  const of = (operation: string) => good.find((sent) => sent.operation === operation) as Sent;
  const password = 'correct horse battery';
  const someone = { email: 'frank@example.org', password, role: 'patient' };

  await problem(app, { operation: 'logIn', json: { ...patient, password: 'wrong' } }, 'invalid_credentials');
  await problem(
    app,
    { operation: 'registerUser', json: { ...someone, email: patient.email } },
    'email_taken',
  );
  await problem(
    strict,
    { operation: 'registerUser', json: { ...someone, role: 'physician' } },
    'role_not_allowed',
  );
  await problem(
    app,
    { operation: 'registerUser', query: { tenant: 'nowhere' }, json: someone },
    'tenant_not_found',
  );
  const invited = { invitation_token: `dgi_${'A'.repeat(43)}`, password };
  await problem(app, { operation: 'registerUser', json: invited }, 'invitation_invalid');
  await problem(app, of('verifyEmail'), 'verification_invalid');
  for (const operation of ['createDiagnosis', 'predictDiagnosis', 'storeImages']) {
    await problem(strict, of(operation), 'email_unverified');
  }
  await problem(app, of('refreshSession'), 'refresh_token_invalid');
  await problem(app, of('resetPassword'), 'reset_token_invalid');
  await problem(app, of('changePassword'), 'current_password_invalid');
  const unchanged = { current_password: patient.password, new_password: patient.password };
  await problem(app, { operation: 'changePassword', token, json: unchanged }, 'password_unchanged');
  await problem(app, { ...of('getImage'), headers: { range: 'bytes=99999999-' } }, 'range_not_satisfiable');
  await recordInactive(app, problem);

  for (const operation of ['createDiagnosis', 'storeImages', 'checkImage']) {
    const [part] = operation === 'storeImages' ? [photoPart] : [imagePart];
    const answers = operation === 'createDiagnosis' ? [anamnesisPart(minimalAnamnesis)] : [];
    const form = [part(Buffer.from('%PDF-1.7'), { filename: 'report.pdf' }), ...answers];
    await problem(app, { operation, token, form }, 'invalid_image');
  }
  const elsewhere = { imageUrl: `/api/common/images/${randomUUID()}` };
  await problem(app, { operation: 'checkImage', token, json: elsewhere }, 'not_found');

  const photo = of('createDiagnosis').form?.[0] as ReturnType<typeof imagePart>;
  const wrongForm = [photo, anamnesisPart(wrongAnamnesis)];
  await problem(app, { operation: 'createDiagnosis', token, form: wrongForm }, 'anamnesis_invalid');
  for (const operation of ['getNextQuestion', 'predictDiagnosis', 'checkRedFlags', 'triageCase']) {
    await problem(app, { operation, token, json: wrongAnamnesis }, 'anamnesis_invalid');
  }
}

async function recordInactive(app: TestApp<'real'>, problem: Recorder['problem']): Promise<void> {
  const account = { email: 'gone@example.org', password: 'correct horse battery', role: 'patient' };
  const tenant = await createTenant(app, 'closed-clinic');
  const reply = await send(app, {
    operation: 'registerUser',
    query: { tenant: 'closed-clinic' },
    json: account,
  });
  if (!reply.ok) throw new Error(await reply.text());
  await app.db.query('UPDATE tenants SET is_active = false WHERE id = $1', [tenant]);
  const { email, password } = account;
  await problem(app, { operation: 'logIn', json: { email, password } }, 'account_inactive');
}

const aiOperations = [
  'createDiagnosis',
  'getNextQuestion',
  'predictDiagnosis',
  'checkRedFlags',
  'triageCase',
  'checkImage',
];

const limited = [
  'changePassword',
  'requestPasswordReset',
  'resetPassword',
  'verifyEmail',
  'resendVerification',
  'storeImages',
  'getImage',
];

/** What callers without a token are refused where `open` lets them in, and who tries too often. */
export async function recordLimits(
  app: TestApp<'real'>,
  open: Instance,
  { problem }: Recorder,
  good: readonly Sent[],
): Promise<void> {
  for (const sent of good.filter(({ operation }) => aiOperations.includes(operation))) {
    const anonymous = { ...sent, token: undefined };
    await problem(open, { ...anonymous, query: { tenant: 'nowhere' } }, 'tenant_not_found');
    await exhaust(app);
    await problem(open, anonymous, 'rate_limited');
    await app.db.query('DELETE FROM throttle_counters');
  }
  const taken = { email: patient.email, password: 'correct horse battery', role: 'patient' };
  const refused: Sent[] = [
    { operation: 'registerUser', json: taken },
    { operation: 'logIn', json: { email: patient.email, password: 'wrong' } },
    { operation: 'refreshSession', json: { refresh_token: `dgr_${'A'.repeat(43)}` } },
    ...good.filter(({ operation }) => limited.includes(operation)),
  ];
  for (const sent of refused) {
    await send(app, sent);
    await exhaust(app);
    await problem(app, sent, 'rate_limited');
    await app.db.query('DELETE FROM throttle_counters');
  }
}

async function exhaust(app: TestApp<'real'>): Promise<void> {
  await app.db.query('UPDATE throttle_counters SET attempts = 1000000');
}
