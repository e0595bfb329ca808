import type { CaseDetail, DermatologistAnnotation, ListedDisease } from 'dermagate-client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  bodyOf,
  differences,
  draftOf,
  emptyDraft,
  incompleteIn,
  isSameCase,
  missingIn,
  statementOf,
  urgentFlags,
  withDiagnosis,
  withoutDiagnosis,
} from '../src/desk/answer/draft.ts';
import { DraftKeeper, type DraftPorts } from '../src/desk/answer/draft-keeper.ts';
import { signAsShown } from '../src/desk/answer/sign-as-shown.ts';
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
    uuid: 'draft',
    kind: 'dermatologist',
    status: 'draft',
    version,
    seconds_spent: 0,
    updated_at: '2026-11-23T10:00:00Z',
  }) as unknown as DermatologistAnnotation;

/** A gateway that answers as `replies` say, then with success. */
function staged(
  replies: Outcome<{ uuid: string; version: number }>[] = [],
  found?: DermatologistAnnotation,
  begun?: DermatologistAnnotation,
) {
  const calls: string[] = [];
  let version = begun?.version ?? 0;
  const reply = (call: string) => {
    calls.push(call);
    const good = () => ({ ok: true as const, value: { uuid: 'draft', version: (version += 1) } });
    return Promise.resolve(replies.shift() ?? good());
  };
  const ports: DraftPorts = {
    create: (body, key) => reply(`create ${body.patient_message} ${key.length}`),
    save: (body, at) => reply(`save ${body.patient_message} ${at}`),
    sign: (body, { version: at, caseVersion }) =>
      reply(`sign ${body.patient_message} ${at} of ${caseVersion}`),
    read: () => Promise.resolve({ ok: true, value: found === undefined ? [] : [found] }),
  };
  return { calls, ports, keeper: new DraftKeeper(begun, 'en', ports) };
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

test('while the gateway still works at a first save, the next attempt waits for it', async () => {
  const { calls, keeper } = staged([failed('no_answer'), failed('idempotency_in_progress')]);
  keeper.change({ patient_message: 'A' });
  await pass(1000);
  await pass(20_000);
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
  expect(await keeper.sign(7)).toBeUndefined();
  expect([calls, keeper.state.value.kind]).toEqual([['create A 36', 'sign A 1 of 7'], 'signed']);

  const other = staged([failed('unexpected', 'annotation_exists')], stored('theirs', 7));
  other.keeper.change({ patient_message: 'mine' });
  await other.keeper.sign(7);
  expect([other.calls.length, other.keeper.state.value.kind]).toEqual([1, 'conflict']);
});

test('there is always one main diagnosis, and none is stated twice', () => {
  const both = withDiagnosis(withDiagnosis(emptyDraft('en'), psoriasis), eczema);
  expect(both.diagnoses.map(({ is_primary: primary }) => primary)).toEqual([true, false]);
  expect(withDiagnosis(both, eczema)).toBe(both);
  expect(withoutDiagnosis(both, 0).diagnoses).toMatchObject([{ code: 'eczema', is_primary: true }]);
});

test('a finding whose disease no new answer may name is taken over as free text', () => {
  const entry = { id: 7, disease_id: 7, code: 'old_rash', name: 'Old rash', icd10: 'L30.9', active: true };
  const of = (found: object | undefined) =>
    statementOf({ disease: 'old_rash' }, found && [found as ListedDisease]);
  const named = { disease_id: 7, code: 'old_rash', code_system: 'dermagate', text: 'Old rash' };
  expect(of(entry)).toEqual(named);
  const freely = { disease_id: null, code: 'L30.9', code_system: 'icd10', text: 'Old rash' };
  expect(of({ ...entry, active: false })).toEqual(freely);
  expect(of({ ...entry, code: 'older_rash' })).toEqual({ ...freely, code: '', text: 'old_rash' });
  // Where the catalogue could not be read, the gateway knows the code.
  expect(of(undefined)).toEqual({ ...named, disease_id: null, text: 'old_rash' });
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

test('no flag is needed that the gateway takes no acknowledgement of', () => {
  const codes = Array.from({ length: 201 }, (_, index) => `of_the_service_${index}`);
  const all = ['', 'x'.repeat(201), ...codes];
  const flag_details = all.map((code) => ({ code, text: 'Theirs.', urgency: 'high' as const }));
  const urgent = urgentFlags({ flag_details });
  expect(urgent).toEqual(codes);
  const seen = (acknowledged_flags: string[]) => ({ ...emptyDraft('en'), acknowledged_flags });
  expect(missingIn(seen(codes.slice(2)), urgent)).toContain('flags');
  expect(missingIn(seen(codes.slice(1)), urgent)).not.toContain('flags');
  expect(bodyOf(seen(all)).acknowledged_flags).toEqual(codes);
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
  const signed = keeper.sign(7);
  await pass(5000);
  expect(await signed).toBeUndefined();
  expect(calls).toEqual(['create A 36', 'save AB 1', 'sign AB 2 of 7']);
});

test('what is on the screen when the signature begins is what is signed, and nothing is saved beside it', async () => {
  const { calls, ports } = staged();
  const keeper = new DraftKeeper(stored('A', 1), 'en', {
    ...ports,
    sign: async (body, versions) => {
      await new Promise((resolve) => setTimeout(resolve, 3000));
      return await ports.sign(body, versions);
    },
  });
  keeper.change({ patient_message: 'AB' });
  const signed = keeper.sign(7);
  await pass(100);
  keeper.change({ patient_message: 'half' });
  void keeper.sign(7);
  await pass(5000);
  expect(await signed).toBeUndefined();
  expect([calls, keeper.state.value.kind, keeper.isUnsaved]).toEqual([['sign AB 1 of 7'], 'signed', false]);
  keeper.change({ patient_message: 'more' });
  await pass(5000);
  expect(calls).toEqual(['sign AB 1 of 7']);
});

test('a case whose lease has run out is signed without being saved first', async () => {
  const { calls, keeper } = staged([failed('unexpected', 'lease_lost')], undefined, stored('A', 1));
  keeper.change({ patient_message: 'AB' });
  await pass(1000);
  expect([calls, keeper.state.value.kind]).toEqual([['save AB 1'], 'lost']);
  expect(await keeper.sign(7)).toBeUndefined();
  expect([calls.at(-1), keeper.state.value.kind]).toEqual(['sign AB 1 of 7', 'signed']);
});

test('a signature whose reply was lost counts, and makes no other draft', async () => {
  const signed = { ...stored('A', 2), status: 'final' } as DermatologistAnnotation;
  const { calls, keeper } = staged([failed('no_answer')], signed, stored('A', 1));
  expect(await keeper.sign(7)).toBeUndefined();
  expect(keeper.state.value.kind).toBe('signed');
  await pass(60_000);
  expect(calls).toEqual(['sign A 1 of 7']);
  // The line is down for the reading as well: the save that follows finds out.
  const later = staged([failed('offline'), failed('unexpected', 'version_conflict')], signed, stored('A', 1));
  const read = later.ports.read;
  later.ports.read = () => Promise.resolve(failed('offline'));
  expect(await later.keeper.sign(7)).toMatchObject({ code: 'offline' });
  expect(later.keeper.state.value.kind).toBe('failed');
  later.ports.read = read;
  await pass(4000);
  expect([later.calls, later.keeper.state.value.kind]).toEqual([['sign A 1 of 7', 'save A 1'], 'signed']);
});

test('an answer that another tab has signed is shown beside what is only here, and nothing is saved over it', async () => {
  const signed = { ...stored('Theirs', 2), status: 'final' } as DermatologistAnnotation;
  const refusal = failed('unexpected', 'case_state_conflict');
  const { calls, keeper } = staged([refusal], signed, stored('A', 1));
  keeper.change({ patient_message: 'Mine' });
  await pass(1000);
  expect(keeper.state.value).toEqual({ kind: 'conflict', theirs: signed });
  await keeper.keepMine();
  await pass(60_000);
  expect([calls, keeper.isUnsaved]).toEqual([['save Mine 1'], true]);
  expect(keeper.draft.value.patient_message).toBe('Mine');
  keeper.takeTheirs();
  expect([keeper.state.value.kind, keeper.isUnsaved]).toEqual(['signed', false]);
});

test('the same text is no conflict where the gateway has stored it without the spaces around it', async () => {
  const signed = { ...stored('A', 2), status: 'final' } as DermatologistAnnotation;
  const { keeper } = staged([failed('no_answer')], signed, stored('', 1));
  keeper.change({ patient_message: ' A\n' });
  expect(await keeper.sign(7)).toBeUndefined();
  expect(keeper.state.value.kind).toBe('signed');
});

test('a pasted tab, which the gateway refuses, is sent as a space', () => {
  const draft = {
    ...emptyDraft('en'),
    patient_message: 'Morning\t1\r\nEvening\t2',
    treatments: [{ name: 'Cream\tA', route: '', dosage_text: '', duration_text: '' }],
  };
  expect(bodyOf(draft)).toMatchObject({
    patient_message: 'Morning 1 \nEvening 2',
    treatments: [{ name: 'Cream A' }],
  });
});

test('a signature that is refused leaves what was typed to be saved, and names the reason', async () => {
  const { calls, keeper } = staged(
    [failed('unexpected', 'red_flags_unacknowledged')],
    undefined,
    stored('A', 1),
  );
  keeper.change({ patient_message: 'AB' });
  expect(await keeper.sign(7)).toMatchObject({ reason: 'red_flags_unacknowledged' });
  await pass(1000);
  expect([calls, keeper.state.value.kind]).toEqual([['sign AB 1 of 7', 'save AB 1'], 'saved']);
});

test('a text that is refused is saved again once it is another', async () => {
  const { calls, keeper } = staged([failed('validation_error', 'validation_error')]);
  keeper.change({ patient_message: 'A' });
  await pass(60_000);
  expect([calls.length, keeper.state.value.kind]).toEqual([1, 'lost']);
  keeper.change({ patient_message: 'AB' });
  await pass(1000);
  expect([calls.at(-1), keeper.state.value.kind]).toEqual(['create AB 36', 'saved']);
});

test('what was sent last without a reply is no conflict when more was typed since', async () => {
  const { calls, keeper } = staged(
    [failed('offline'), failed('unexpected', 'version_conflict')],
    stored('AB', 2),
    stored('A', 1),
  );
  keeper.change({ patient_message: 'AB' });
  await pass(1000);
  expect(keeper.state.value.kind).toBe('failed');
  keeper.change({ patient_message: 'ABC' });
  await pass(2000);
  expect([calls, keeper.state.value.kind]).toEqual([['save AB 1', 'save ABC 1', 'save ABC 2'], 'saved']);
});

test('what cannot be stored without its main field is named, and counts as unsaved', async () => {
  const { keeper } = staged();
  keeper.change({
    treatments: [{ name: '', route: '', dosage_text: 'twice', duration_text: '' }],
    follow_up: { in_days: null, how: 'here' },
    referral: { type: ' ', urgency: 'tonight', text: '' },
  });
  await pass(1000);
  expect([keeper.state.value.kind, keeper.isUnsaved]).toEqual(['saved', true]);
  expect(missingIn(keeper.draft.value, [])).toEqual(
    expect.arrayContaining(['treatments', 'follow_up', 'referral']),
  );
  keeper.change({
    treatments: [],
    follow_up: { in_days: 3, how: 'here' },
    referral: { type: 'Surgery', urgency: 'tonight', text: '' },
  });
  await pass(1000);
  expect([keeper.isUnsaved, incompleteIn(keeper.draft.value)]).toEqual([false, []]);
});

test('a case is another one to sign when its answers, person, photos or flags are others', () => {
  const shown = {
    version: 3,
    patient: { uuid: 'ann' },
    anamnesis: { patient: { ageYears: 40 } },
    images: [{ uuid: 'a' }, { uuid: 'b' }],
    flag_details: [{ code: 'sepsis', urgency: 'high' }],
  } as unknown as CaseDetail;
  const same = { ...shown, version: 9, images: shown.images.toReversed() };
  expect(isSameCase(shown, same)).toBe(true);
  for (const other of [
    { anamnesis: { patient: { ageYears: 40 }, history: { pregnant: 'yes' } } },
    { patient: { uuid: 'ben' } },
    { images: [] },
    { flag_details: [{ code: 'sepsis', urgency: 'emergency' }] },
  ]) {
    expect(isSameCase(shown, { ...shown, ...other } as unknown as CaseDetail)).toBe(false);
  }
});

describe('what is signed is about the case that is on the screen', () => {
  const shown = {
    version: 3,
    patient: { uuid: 'ann' },
    anamnesis: {},
    images: [],
    flag_details: [],
  } as unknown as CaseDetail;
  const flagged = { ...shown, version: 4, flag_details: [{ code: 'sepsis', urgency: 'high' }] } as CaseDetail;
  const changed: Failure = { code: 'unexpected', fields: {}, reason: 'case_changed' };

  /** @param cases as they are read, one after the other; @param refusals of the signatures. */
  async function signing(cases: readonly CaseDetail[], refusals: readonly (Failure | undefined)[]) {
    const signed: number[] = [];
    const sign = (version: number) => Promise.resolve(refusals[signed.push(version) - 1]);
    const unread = [...cases];
    const read = () => Promise.resolve({ ok: true as const, value: unread.shift() ?? shown });
    return { ...(await signAsShown(shown, { sign }, read)), signed };
  }

  test('of the version that was read just before', async () => {
    expect(await signing([{ ...shown, version: 5 }], [undefined])).toEqual({
      failure: undefined,
      signed: [5],
    });
  });

  test('again where only the lease was renewed between reading and signing', async () => {
    const renewed = { ...shown, version: 4 };
    expect(await signing([shown, renewed], [changed, undefined])).toEqual({
      failure: undefined,
      signed: [3, 4],
    });
  });

  test('not where the case was corrected before, or between reading and signing', async () => {
    expect(await signing([flagged], [])).toEqual({ changed: flagged, signed: [] });
    expect(await signing([shown, flagged], [changed])).toEqual({ changed: flagged, signed: [3] });
  });

  test('not for ever where the case changes again and again', async () => {
    expect(await signing([], [changed, changed, changed])).toEqual({ failure: changed, signed: [3, 3, 3] });
  });

  test('not where the case cannot be read', async () => {
    const sign = () => Promise.reject(new Error('not to be signed'));
    const unreadable = failed('offline');
    expect(await signAsShown(shown, { sign }, () => Promise.resolve(unreadable))).toMatchObject({
      failure: { code: 'offline' },
    });
  });
});
