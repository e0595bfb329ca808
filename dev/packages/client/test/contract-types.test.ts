import { expect, expectTypeOf, test } from 'vitest';
import type {
  Anamnesis,
  Annotation,
  Calls,
  Connectivity,
  Dermagate,
  Diagnosis,
  MobileCase,
  NextCase,
  Problem,
  ProblemCode,
  Profiles,
  StoredImages,
  paths,
  TokenPair,
} from '../src/index.ts';
import { type StaffCalls, staffCalls } from '../src/staff.ts';
import { problem, signedInClient } from './scripted-gateway.ts';

// What `tsc` refuses and accepts: each @ts-expect-error below fails the type check when there is nothing to refuse.

const blob = new Blob([]);

/** Never called. */
export async function refusedByTheCompiler(api: Dermagate) {
  // @ts-expect-error no such operation
  await api.GET('/api/auth/login');
  // @ts-expect-error no such query parameter
  await api.POST('/api/ai/red_flags', { params: { query: { lan: 'he' } }, body: {} });
  // @ts-expect-error a path parameter is missing
  await api.DELETE('/api/auth/sessions/{id}');
  // @ts-expect-error the body is missing
  await api.POST('/api/ai/red_flags');
  // @ts-expect-error a required field is missing
  await api.POST('/api/auth/login', { body: { email: 'a@example.org' } });
  // @ts-expect-error no such optional field
  await api.POST('/api/ai/red_flags', { body: { complaint: { duraton: 'one_day' } } });
  // @ts-expect-error no such value
  await api.POST('/api/ai/red_flags', { body: { complaint: { duration: 'an_age' } } });
  // @ts-expect-error neither a file nor the path of one
  await api.POST('/api/ai/image_validity', { body: { image: 'photo.jpg' } });
  // @ts-expect-error no such optional field
  await api.cases.create({ anamnesis: {}, languge: 'he' });
  // @ts-expect-error of two devices the second would overwrite what the first has changed
  await api.cases.update({ uuid: '', submit: true });
  // @ts-expect-error the action is in the name of the call
  await api.cases.submit('', { action: 'cancel' });
  // @ts-expect-error no physician would read it
  await api.cases.cancel('', { message: 'I feel worse' });
  // @ts-expect-error no such platform
  await api.devices.register({ platform: 'phone', token: '', app_version: '1.0' });
  // @ts-expect-error the case was not read
  await staffCalls(api).answers.sign('', { diagnoses: [] });
  // @ts-expect-error the reply has no text for people, so no language
  await api.profiles.list({ lang: 'he' });
  // @ts-expect-error no such field of the reply
  return (await api.POST('/api/ai/image_validity', { body: { image: blob } })).data?.valid;
}

/** Never called. */
export async function repliesAreWhatTheContractSays(api: Dermagate) {
  const params = { path: { uuid: '' } };
  const { data: photo } = await api.GET('/api/common/images/{uuid}', { params, parseAs: 'blob' });
  expectTypeOf(photo).toEqualTypeOf<Blob | undefined>();
  const { data: stored, error } = await api.POST('/api/common/store_images', { body: { images: [blob] } });
  expectTypeOf(stored).toExtend<StoredImages | undefined>();
  expectTypeOf(error).toExtend<Problem | undefined>();
  const body = { image: blob, anamnesis: {} as Anamnesis };
  expectTypeOf((await api.POST('/api/diagnosis', { body })).data).toExtend<Diagnosis | undefined>();
  expectTypeOf(await api.session.logIn({ email: '', password: '' })).toEqualTypeOf<TokenPair>();
}

type MethodsOf<Path> = {
  [Name in keyof Path]-?: Path[Name] extends { responses: unknown } ? Name : never;
}[keyof Path];
type Methods = { [Path in keyof paths]: MethodsOf<paths[Path]> }[keyof paths];

test('every operation can be called', () => {
  expectTypeOf<Uppercase<Methods>>().toEqualTypeOf<Exclude<keyof Calls, 'use' | 'eject'>>();
});

test('named methods resolve with what the contract says', () => {
  type Data<Call extends (...given: never[]) => unknown> = Awaited<ReturnType<Call>>;
  expectTypeOf<Data<Dermagate['cases']['create']>>().toEqualTypeOf<MobileCase>();
  expectTypeOf<Data<Dermagate['cases']['reply']>>().toEqualTypeOf<MobileCase>();
  expectTypeOf<Data<Dermagate['profiles']['list']>>().toEqualTypeOf<Profiles>();
  expectTypeOf<Data<Dermagate['config']['checkConnectivity']>>().toEqualTypeOf<Connectivity>();
  expectTypeOf<Data<Dermagate['config']['text']>>().toEqualTypeOf<string>();
  expectTypeOf<Data<Dermagate['images']['get']>>().toEqualTypeOf<Blob>();
  expectTypeOf<Data<Dermagate['images']['upload']>>().toEqualTypeOf<StoredImages>();
  expectTypeOf<Data<Dermagate['devices']['remove']>>().toEqualTypeOf<void>();
  expectTypeOf<Data<StaffCalls['queue']['next']>>().toEqualTypeOf<NextCase>();
  expectTypeOf<Data<StaffCalls['answers']['sign']>>().toEqualTypeOf<Annotation>();
  expectTypeOf<Data<StaffCalls['auditTrail']['csv']>>().toEqualTypeOf<Blob>();
});

/** A `switch` over all codes needs no default: a new code fails to compile here. */
function advice(code: Extract<ProblemCode, `ai_${string}`>): string {
  switch (code) {
    case 'ai_unavailable':
    case 'ai_timeout':
      return 'later';
    case 'ai_invalid_reply':
      return 'tell us';
  }
}

test('a problem narrows by its code', async () => {
  const { api, gateway } = signedInClient();
  gateway.replies['/api/ai/triage'] = () => problem(504, 'ai_timeout');
  const { error } = await api.POST('/api/ai/triage', { body: {} });
  expect(error?.code === 'ai_timeout' && advice(error.code)).toBe('later');
});
