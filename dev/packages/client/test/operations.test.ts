import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Dermagate, DermagateError, inMemory } from '../src/index.ts';
import { type OperationCalls, operationCalls } from '../src/operation-calls.ts';
import { staffCalls } from '../src/staff.ts';
import { pair, problem, signedInClient } from './scripted-gateway.ts';

interface Operation {
  operationId: string;
  parameters?: { in?: string; name?: string; required?: boolean; $ref?: string }[];
  requestBody?: { content: Record<string, unknown> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, { in: string; name: string }> };
}

const root = join(import.meta.dirname, '..', '..', '..', '..');
const { paths, components } = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as Document;
const operations = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, operation]) => [
        operation.operationId,
        { path, method: method.toUpperCase(), operation },
      ]),
  ),
);

type Api = Dermagate & { staff: ReturnType<typeof staffCalls> };
const photo = new Blob(['jpeg'], { type: 'image/jpeg' });
const options = { lang: 'he', tenant: 'clinic', idempotencyKey: 'a-key-of-its-own' } as const;
const version = 3;
/** Of what goes on by itself after its first request. */
const soon = () => ({ signal: AbortSignal.timeout(100) });

/** Every named method with all that it takes, by the operation that it calls. */
const calls: Record<string, ((api: Api) => Promise<unknown>)[]> = {
  logIn: [({ session }) => session.logIn({ email: 'a@example.org', password: 'b' })],
  registerUser: [
    ({ session }) => session.register({ email: 'a@example.org', password: 'b', role: 'patient' }, options),
    ({ staff }) => staff.users.create({ email: 'a@example.org', password: 'b', role: 'patient' }, options),
  ],
  getMe: [({ session }) => session.me()],
  listSessions: [({ session }) => session.list()],
  endSession: [({ session }) => session.end('id')],
  logOut: [({ session }) => session.logOut()],
  logOutEverywhere: [({ session }) => session.logOutEverywhere()],
  changePassword: [
    ({ account }) => account.changePassword({ current_password: 'a', new_password: 'b' }, options),
  ],
  requestPasswordReset: [({ account }) => account.requestPasswordReset('a@example.org', options)],
  resetPassword: [({ account }) => account.resetPassword({ token: 't', new_password: 'b' }, options)],
  verifyEmail: [({ account }) => account.verifyEmail('t')],
  resendVerification: [({ account }) => account.resendVerification('a@example.org', options)],
  v1BackofficeSetLanguage: [({ account }) => account.setLanguage('ar')],
  v1MobileGetNotificationSettings: [({ account }) => account.notifications()],
  v1MobileChangeNotificationSettings: [({ account }) => account.changeNotifications({ channels: ['mail'] })],
  getNextQuestion: [({ intake }) => intake.nextQuestion({ anamnesis: {}, skippedQuestions: [] }, options)],
  checkRedFlags: [({ intake }) => intake.redFlags({}, options)],
  triageCase: [({ intake }) => intake.triage({}, options)],
  predictDiagnosis: [({ intake }) => intake.predict({}, options)],
  createDiagnosis: [({ diagnosis }) => diagnosis.create({ image: photo, anamnesis: {} as never }, options)],
  storeImages: [({ images }) => images.upload([photo], options)],
  v1MobileUploadImages: [({ images }) => images.uploadToCase({ images: [photo], case_uuid: 'id' }, options)],
  checkImage: [
    ({ images }) => images.check({ image: photo }, options),
    ({ images }) => images.check({ imageUrl: '/api/common/images/id' }, options),
  ],
  getImage: [({ images }) => images.get('id', { variant: 'thumbnail' })],
  v1ImagesGetImage: [({ images }) => images.getByPath('id/thumbnail.jpg')],
  v1MobileDeleteImage: [({ images }) => images.delete('id.jpg')],
  v1MobileCreateCase: [({ cases }) => cases.create({ anamnesis: {} }, options)],
  v1MobileUpdateCase: [({ cases }) => cases.update({ uuid: 'id', version }, options)],
  v1MobileChangeCaseStatus: [
    ({ cases }) => cases.submit('id', { version }, options),
    ({ cases }) => cases.reply('id', { message: 'm' }, options),
    ({ cases }) => cases.cancel('id', { reason: 'healed' }, options),
    ({ cases }) => cases.acknowledge('id', {}, options),
  ],
  v1MobileListCases: [({ cases }) => cases.list({ limit: 2, cursor: 'c', patient_uuid: 'id' }, options)],
  v1MobileGetCase: [({ cases }) => cases.get('id', options)],
  v1MobileListCaseAnnotations: [({ cases }) => cases.annotations('id', options)],
  v1MobileListProfiles: [({ profiles }) => profiles.list()],
  v1MobileUpdateProfile: [({ profiles }) => profiles.update('id', { version })],
  v1MobileAddOffspring: [
    ({ profiles }) =>
      profiles.addOffspring({ birth_date: '2020-01-02', gender: 'female', relation: 'child' }, options),
  ],
  v1MobileSyncOffsprings: [({ profiles }) => profiles.syncOffsprings('id', { profiles: [] })],
  v1MobileRegisterDevice: [
    ({ devices }) => devices.register({ platform: 'web', token: 't', app_version: '1.0.0' }),
  ],
  v1MobileRemoveDevice: [({ devices }) => devices.remove('id')],
  v1MobileCheckConnectivity: [
    ({ config }) =>
      config.checkConnectivity({ client_time: 'now', app_version: '1.0.0', platform: 'web' }, options),
  ],
  v1MobileListParameters: [({ config }) => config.parameters('legal', 'consent', options)],
  v1MobileGetPushKey: [({ config }) => config.pushKey()],
  v1FrontendDownloadResource: [
    ({ config }) => config.text('consent', { ...options, version: '1' }),
    ({ config }) => config.resource('body-map.json', options),
  ],
  v1MobileSendEmail: [
    ({ support }) => support.sendEmail({ template: 'support_request', message: 'm' }, options),
  ],
  v1BackofficeTakeNextCase: [({ staff }) => staff.queue.next({}, options)],
  v1BackofficeSearchCases: [({ staff }) => staff.queue.search({ status: ['queued'] }, options)],
  v1BackofficeGetBatch: [({ staff }) => staff.queue.batch('id', { limit: 2, cursor: 'c' }, options)],
  v1BackofficeCheckBatch: [({ staff }) => staff.queue.checkBatch(['id'])],
  v1BackofficeChangeCaseStatus: [
    ({ staff }) => staff.queue.claim('id', { version }, options),
    ({ staff }) => staff.queue.renewLease('id', {}, options),
    ({ staff }) => staff.queue.release('id', { reason: 'other', version }, options),
    ({ staff }) => staff.queue.hold('id', { pending_status: 'awaiting_patient', message: 'm' }, options),
    ({ staff }) => staff.queue.resume('id', {}, options),
    ({ staff }) => staff.queue.assign('id', { physician_uuid: 'id' }, options),
    ({ staff }) => staff.queue.cancel('id', { reason: 'test' }, options),
    ({ staff }) => staff.queue.reopen('id', { reason: 'other' }, options),
    ({ staff }) => staff.queue.undo('id', { version }, options),
  ],
  v1BackofficeChangePendingStatuses: [({ staff }) => staff.queue.changePendingStatuses([], options)],
  v1BackofficeGetAnalytics: [({ staff }) => staff.queue.counts()],
  v1BackofficeSubscribeAnalytics: [({ staff }) => staff.queue.followCounts(soon()).next()],
  v1BackofficeConnectSession: [({ staff }) => staff.followSession(soon()).next()],
  v1BackofficeGetCase: [({ staff }) => staff.cases.get('id', options)],
  v1BackofficeUpdateRecord: [({ staff }) => staff.cases.updateRecord('id', { version }, options)],
  v1BackofficeTriggerEligibility: [({ staff }) => staff.cases.checkEligibility('id', { version }, options)],
  v1BackofficeGetHistory: [
    ({ staff }) =>
      staff.cases.history('id', { limit: 2, cursor: 'c', reason: 'second_opinion' as never }, options),
  ],
  v1BackofficeUpdatePatient: [({ staff }) => staff.cases.updatePatient('id', { version })],
  v1BackofficeNotifyPatients: [({ staff }) => staff.cases.notifyPatients({ case_uuids: ['id'] }, options)],
  v1BackofficeGetImage: [({ staff }) => staff.cases.image('id', { variant: 'original' })],
  v1BackofficeSearchImages: [({ staff }) => staff.cases.searchImages({ hash: 'h', limit: 2 }, options)],
  v1BackofficeListAnnotations: [({ staff }) => staff.answers.list({ case_uuids: ['id'] })],
  v1BackofficeGetAnnotations: [({ staff }) => staff.answers.ofCase('id', { kind: 'audit' })],
  v1BackofficeCreateAnnotation: [
    ({ staff }) => staff.answers.create('id', { sign: true }, options),
    ({ staff }) => staff.answers.audit('id', { comment: 'c' }, options),
  ],
  v1BackofficeUpdateAnnotation: [
    ({ staff }) => staff.answers.save('id', { version }),
    ({ staff }) => staff.answers.sign('id', { version }),
    ({ staff }) => staff.answers.amend('id', { version, amend_reason: 'r' }),
    ({ staff }) => staff.answers.saveAudit('id', { version, sign: true }),
  ],
  v1BackofficeCancelAnnotation: [
    ({ staff }) => staff.answers.cancel('id', { reason: 'r', version }),
    ({ staff }) => staff.answers.cancelAudit('id', { reason: 'r', version }),
  ],
  v1BackofficeNotifyPatient: [({ staff }) => staff.answers.notify('id', { channels: ['mail'] })],
  v1BackofficeFormatDiagnoses: [({ staff }) => staff.answers.format({ diagnoses: [], lang: 'he' })],
  v1BackofficeListDiseases: [({ staff }) => staff.diseases.list('dermagate', { q: 'ac', limit: 2 }, options)],
  v1BackofficeListTemplates: [({ staff }) => staff.templates.list({ lang: 'he', limit: 2 })],
  v1BackofficeListDiseaseTemplates: [({ staff }) => staff.templates.ofDisease(7, { lang: 'he' })],
  v1BackofficeListPhysicianTemplates: [
    ({ staff }) => staff.templates.ofPhysician('a@example.org', { kind: 'message', lang: 'he' }),
  ],
  v1BackofficeCreateTemplate: [
    ({ staff }) =>
      staff.templates.create({ kind: 'message', scope: 'tenant', name: 'n', bodies: {} as never }, options),
  ],
  v1BackofficeUpdateTemplate: [({ staff }) => staff.templates.update(7, { version, name: 'n' })],
  v1BackofficeDeleteTemplate: [({ staff }) => staff.templates.delete(7)],
  v1BackofficeListPhysicians: [({ staff }) => staff.physicians.list({ limit: 2 })],
  v1BackofficeCreatePhysician: [
    ({ staff }) =>
      staff.physicians.create(
        { email: 'a@example.org', display_name: 'A', language_preference: 'en' },
        options,
      ),
  ],
  v1BackofficeChangeActivity: [({ staff }) => staff.physicians.changeActivity({ vacation_mode: true })],
  v1BackofficeUpdatePhysicianSettings: [({ staff }) => staff.physicians.updateSettings({ version })],
  v1BackofficeListGroups: [({ staff }) => staff.groups.list({ limit: 2 })],
  v1BackofficeGetGroup: [({ staff }) => staff.groups.get('id', { cursor: 'c' })],
  v1BackofficeCreateGroup: [({ staff }) => staff.groups.create({ name: 'n' })],
  v1BackofficeUpdateGroup: [({ staff }) => staff.groups.update('id', { version })],
  v1BackofficeDeleteGroup: [({ staff }) => staff.groups.delete('id')],
  v1BackofficeChangeGroupMembers: [({ staff }) => staff.groups.changeMembers('id', { add: ['id'] })],
  v1BackofficeSearchUsers: [({ staff }) => staff.users.search({ q: 'a' })],
  v1BackofficeGetUser: [({ staff }) => staff.users.get('id')],
  v1BackofficeChangeUser: [({ staff }) => staff.users.change('id', { version, is_active: false })],
  v1BackofficeEndUserSessions: [({ staff }) => staff.users.endSessions('id')],
  inviteUser: [
    ({ staff }) => staff.invitations.create({ email: 'a@example.org', role: 'physician' }, options),
  ],
  v1BackofficeListInvitations: [({ staff }) => staff.invitations.list()],
  v1BackofficeResendInvitation: [({ staff }) => staff.invitations.resend('id', options)],
  v1BackofficeRevokeInvitation: [({ staff }) => staff.invitations.revoke('id')],
  v1BackofficeListParameters: [({ staff }) => staff.parameters.list({ limit: 2 })],
  v1BackofficeGetParameters: [({ staff }) => staff.parameters.get('queue', 'rules')],
  v1BackofficeReplaceParameters: [
    ({ staff }) => staff.parameters.replace('queue', 'rules', { values: {}, version }),
  ],
  v1BackofficeGetAuditTrail: [({ staff }) => staff.auditTrail.list({ limit: 2, category: 'c' as never })],
  v1BackofficeExportAuditTrail: [({ staff }) => staff.auditTrail.csv({ from: 'f', to: 't' })],
};

describe('every operation of the document is called by its id', () => {
  test('and nothing else is', () => {
    expect(Object.keys(operationCalls(signedInClient().api)).toSorted()).toEqual(
      [...operations.keys()].toSorted(),
    );
  });

  test.each([...operations])('%s', async (id, { path, method }) => {
    const { api, gateway } = signedInClient({ tokens: inMemory(pair(1)), retry: false });
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'some-value'] as const);
    const call = operationCalls(api)[id as keyof OperationCalls] as (init: object) => Promise<unknown>;
    await call({ params: { path: Object.fromEntries(named) } }).catch(() => {});
    expect(gateway.sent.map(({ request }) => `${request.method} ${new URL(request.url).pathname}`)).toEqual([
      `${method} ${path.replaceAll(/\{\w+\}/g, 'some-value')}`,
    ]);
  });

  test('with its data, or the error of a named call', async () => {
    const { api, gateway } = signedInClient({ tokens: inMemory(pair(1)), retry: false });
    const path = '/api/v1/mobile/config/push-key';
    gateway.replies[path] = () => Response.json({ key: 'k' });
    await expect(operationCalls(api).v1MobileGetPushKey()).resolves.toEqual({ key: 'k' });
    gateway.replies[path] = () => problem(404, 'not_found');
    await expect(operationCalls(api).v1MobileGetPushKey()).rejects.toThrow(DermagateError);
  });
});

/** Names of all methods of the groups, such as `cases.create`. */
function namesIn(groups: object, prefix = ''): string[] {
  return Object.entries(groups).flatMap(([name, value]: [string, unknown]) => {
    if (name === 'named') return []; // what the methods are made of
    if (typeof value === 'function') return [`${prefix}${name}`];
    return typeof value === 'object' && value !== null ? namesIn(value, `${prefix}${name}.`) : [];
  });
}

/** The same groups, which note each method that is called. */
function noting<Groups extends object>(groups: Groups, note: (name: string) => void, prefix = ''): Groups {
  return new Proxy(groups, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      const name = `${prefix}${String(key)}`;
      if (typeof value === 'function') note(name);
      return typeof value === 'object' && value !== null ? noting(value, note, `${name}.`) : value;
    },
  });
}

const notOperations = ['session.isSignedIn', 'session.onChange', 'transport.fetch', 'transport.user'];

test('every name has its operation here', () => {
  const { api } = signedInClient();
  const all = { ...api, staff: staffCalls(api) };
  const noted = new Set<string>();
  const watched = noting(all, (name) => noted.add(name));
  for (const call of Object.values(calls).flat()) call(watched).catch(() => {});
  // Calls by path stand outside the groups.
  const named = namesIn(all).filter((name) => name.includes('.') && !notOperations.includes(name));
  expect([...noted].toSorted()).toEqual(named.toSorted());
});

describe('a named method sends what its operation takes', () => {
  const each = Object.entries(calls).flatMap(([id, list]) =>
    list.map((call, index) => [index === 0 ? id : `${id}, call ${index + 1}`, id, call] as const),
  );

  test.each(each)('%s', async (_, id, call) => {
    const { api, gateway } = signedInClient({ tokens: inMemory(pair(1)), retry: false });
    const { path, method, operation } = operations.get(id) ?? { path: '', method: '', operation: undefined };
    await call({ ...api, staff: staffCalls(api) }).catch(() => {});
    expect(gateway.sent).toHaveLength(1);
    const { request } = gateway.sent[0] as (typeof gateway.sent)[0];
    const { pathname, searchParams } = new URL(request.url);
    const template = new RegExp(`^${path.replace('{path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    expect([request.method, pathname]).toEqual([method, expect.stringMatching(template)]);

    const known = (operation?.parameters ?? []).map(
      (parameter) => components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter,
    );
    const inQuery = known.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect([...searchParams.keys()].filter((name) => !inQuery.includes(name))).toEqual([]);
    // `lang` of the language of texts, not of a filter.
    if (inQuery.includes('lang')) expect(searchParams.get('lang')).toBe('he');
    const takesKey = known.some(({ name }) => name === 'idempotency-key');
    expect(request.headers.get('idempotency-key')).toBe(takesKey ? options.idempotencyKey : null);
    const types = Object.keys(operation?.requestBody?.content ?? {});
    const [type = null] = request.headers.get('content-type')?.split(';') ?? [];
    if (types.length === 0) expect(type).toBeNull();
    else expect(types).toContain(type);
  });
});
