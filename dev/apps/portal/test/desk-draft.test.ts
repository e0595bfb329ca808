import type { DermatologistAnnotation } from 'dermagate-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  bodyOf,
  differences,
  draftOf,
  emptyDraft,
  missingIn,
  withDiagnosis,
  withoutDiagnosis,
} from '../src/desk/answer/draft.ts';
import { DraftKeeper, type DraftPorts } from '../src/desk/answer/draft-keeper.ts';
import type { Outcome } from '../src/gateway/attempt.ts';
import type { Failure } from '../src/gateway/failure.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const psoriasis = { disease_id: 1, code: 'psoriasis', code_system: 'dermagate', text: 'Psoriasis' };
const eczema = { disease_id: 2, code: 'eczema', code_system: 'dermagate', text: 'Eczema' };
const failed = (code: Failure['code'], reason?: Failure['reason']): Outcome<never> => ({
  ok: false,
  failure: { code, fields: {}, ...(reason !== undefined && { reason }) },
});
const stored = (message: string, version: number): DermatologistAnnotation =>
  ({
    ...bodyOf({ ...emptyDraft('en'), patient_message: message }),
    version,
    seconds_spent: 0,
    updated_at: '2026-11-23T10:00:00Z',
  }) as unknown as DermatologistAnnotation;

/** A gateway that answers as `replies` say, then with success. */
function staged(replies: Outcome<{ version: number }>[] = [], found?: DermatologistAnnotation) {
  const calls: string[] = [];
  let version = 0;
  const reply = (call: string) => {
    calls.push(call);
    return Promise.resolve(replies.shift() ?? { ok: true as const, value: { version: (version += 1) } });
  };
  const ports: DraftPorts = {
    create: (body, key) => reply(`create ${body.patient_message} ${key.length}`),
    save: (body, at) => reply(`save ${body.patient_message} ${at}`),
    sign: (body, at) => reply(`sign ${body.patient_message} ${at}`),
    read: () => Promise.resolve({ ok: true, value: found }),
  };
  return { calls, ports, keeper: new DraftKeeper(undefined, 'en', ports) };
}
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test('fast typing is saved once, what is typed meanwhile afterwards', async () => {
  const { calls, keeper } = staged();
  keeper.change({ patient_message: 'A' });
  keeper.change({ patient_message: 'AB' });
  expect([keeper.state.value.kind, keeper.isUnsaved]).toEqual(['dirty', true]);
  await pass(1000);
  expect([calls, keeper.state.value.kind]).toEqual([['create AB 36'], 'saved']);
  keeper.change({ patient_message: 'ABC' });
  await pass(1000);
  expect(calls).toEqual(['create AB 36', 'save ABC 1']);
});

test('an outage is waited out, and nothing is lost by it', async () => {
  const { calls, keeper } = staged([failed('offline'), failed('busy', 'busy')]);
  keeper.change({ patient_message: 'A' });
  await pass(1000);
  expect(keeper.state.value).toMatchObject({ kind: 'failed', failure: { code: 'offline' } });
  await pass(4000);
  expect(keeper.state.value.kind).toBe('failed');
  await pass(9000);
  expect([calls.length, keeper.state.value.kind]).toEqual([3, 'saved']);
});

test('once the physician is gone, nothing is saved in the name of the next one', async () => {
  const { calls, keeper } = staged([failed('offline')]);
  keeper.change({ patient_message: 'A' });
  await pass(1000);
  expect(keeper.state.value.kind).toBe('failed');
  keeper.abandon();
  keeper.change({ patient_message: 'AB' });
  await pass(60_000);
  await keeper.flush();
  expect(calls).toEqual(['create A 36']);
});

test('a case that is gone is not saved again by itself, but when it is asked to', async () => {
  const { calls, keeper } = staged([failed('unexpected', 'lease_lost')]);
  keeper.change({ patient_message: 'A' });
  await pass(1000);
  keeper.change({ patient_message: 'AB' });
  await pass(60_000);
  expect([calls.length, keeper.state.value.kind]).toEqual([1, 'lost']);
  await keeper.flush();
  expect([calls.at(-1), keeper.state.value.kind]).toEqual(['create AB 36', 'saved']);
});

test('two devices: either text can stay', async () => {
  const first = staged([failed('unexpected', 'version_conflict')], stored('theirs', 7));
  first.keeper.change({ patient_message: 'mine' });
  await pass(1000);
  expect(first.keeper.state.value.kind).toBe('conflict');
  await first.keeper.keepMine();
  expect(first.calls.at(-1)).toBe('save mine 7');

  const second = staged([failed('unexpected', 'annotation_exists')], stored('theirs', 7));
  second.keeper.change({ patient_message: 'mine' });
  await pass(1000);
  second.keeper.takeTheirs();
  expect([second.keeper.draft.value.patient_message, second.keeper.isUnsaved]).toEqual(['theirs', false]);
});

test('one’s own words whose reply was lost are no conflict', async () => {
  const { keeper } = staged([failed('unexpected', 'annotation_exists')], stored('mine', 3));
  keeper.change({ patient_message: 'mine' });
  await pass(1000);
  expect(keeper.state.value.kind).toBe('saved');
});

test('what was just typed is signed, and nothing is signed over a conflict', async () => {
  const { calls, keeper } = staged();
  keeper.change({ patient_message: 'A' });
  expect(await keeper.sign()).toBeUndefined();
  expect([calls, keeper.state.value.kind]).toEqual([['create A 36', 'sign A 1'], 'clean']);

  const other = staged([failed('unexpected', 'annotation_exists')], stored('theirs', 7));
  other.keeper.change({ patient_message: 'mine' });
  await other.keeper.sign();
  expect([other.calls.length, other.keeper.state.value.kind]).toEqual([1, 'conflict']);
});

test('there is always one main diagnosis, and none is stated twice', () => {
  const both = withDiagnosis(withDiagnosis(emptyDraft('en'), psoriasis), eczema);
  expect(both.diagnoses.map(({ is_primary: primary }) => primary)).toEqual([true, false]);
  expect(withDiagnosis(both, eczema)).toBe(both);
  expect(withoutDiagnosis(both, 0).diagnoses).toMatchObject([{ code: 'eczema', is_primary: true }]);
});

test('a signature needs what the gateway needs, in the order of the page', () => {
  const draft = emptyDraft('en');
  expect(missingIn(draft, ['sepsis'])).toEqual([
    'flags',
    'diagnoses',
    'image_quality_ok',
    'recommended_action',
  ]);
  const ruledOut = { ...psoriasis, certainty: 'excluded', is_primary: true } as const;
  expect(
    missingIn(
      {
        ...draft,
        diagnoses: [ruledOut],
        acknowledged_flags: ['sepsis'],
        image_quality_ok: false,
        recommended_action: 'retake_photos',
      },
      ['sepsis'],
    ),
  ).toEqual(['excluded']);
});

test('what is empty is sent as null, and read again as it was', () => {
  const draft = {
    ...emptyDraft('he'),
    treatments: [
      { name: ' ', route: 'x', dosage_text: '', duration_text: '' },
      { name: 'Cream', route: '', dosage_text: 'twice', duration_text: '' },
    ],
    follow_up: { in_days: null, how: 'here' },
  };
  expect(bodyOf(draft)).toMatchObject({
    treatments: [{ name: 'Cream', route: null, dosage_text: 'twice' }],
    follow_up: null,
    referral: null,
    patient_message: null,
  });
  const again = draftOf({ ...(bodyOf(draft) as DermatologistAnnotation) });
  expect(differences(draft, again)).toEqual(['treatments', 'follow_up']);
});

test('a signature waits for the save that waits for a slow one', async () => {
  const { calls, ports } = staged();
  const slowly: DraftPorts = {
    ...ports,
    create: async (body, key) => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return await ports.create(body, key);
    },
    save: async (body, version) => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return await ports.save(body, version);
    },
  };
  const keeper = new DraftKeeper(undefined, 'en', slowly);
  keeper.change({ patient_message: 'A' });
  await pass(900);
  keeper.change({ patient_message: 'AB' });
  await pass(900);
  const signed = keeper.sign();
  await pass(5000);
  expect(await signed).toBeUndefined();
  expect(calls).toEqual(['create A 36', 'save AB 1', 'sign AB 2']);
});
