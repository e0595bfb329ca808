import type { Group, OfficeParameters, PhysicianDetails } from 'dermagate-client';
import { describe, expect, test } from 'vitest';
import { changeOfGroup, draftOfGroup } from '../src/office/groups/group-draft.ts';
import {
  changeOfJson,
  draftOf,
  isSettled,
  jsonDraftOf,
  ownValues,
} from '../src/office/parameters/set-draft.ts';
import { changeOfDraft, draftOfPhysician } from '../src/office/physicians/physician-draft.ts';

describe('a physician', () => {
  const base = {
    uuid: 'noor',
    version: 1,
    language_preference: 'en',
    private_pool: 'hand-clinic',
    settings: { display_name: 'Noor', review_languages: ['en', 'he'] },
    admin_settings: { can_sign: true },
  } as PhysicianDetails;
  const current: PhysicianDetails = {
    ...base,
    version: 2,
    settings: { display_name: 'Noor', review_languages: ['en'] },
    admin_settings: { can_sign: false },
  };
  const draft = draftOfPhysician(base);

  test('only what was changed is saved over what another admin has saved', () => {
    expect(changeOfDraft({ ...draft, title: ' Dr. ', maxOpenCases: '3' }, base, current)).toEqual({
      physician_uuid: 'noor',
      version: 2,
      settings: { title: 'Dr.' },
      admin_settings: { max_open_cases: 3 },
    });
    expect(changeOfDraft({ ...draft, displayName: ' ', pool: '', language: 'ar' }, base, current)).toEqual({
      physician_uuid: 'noor',
      version: 2,
      language_preference: 'ar',
      private_pool: null,
      settings: { display_name: null },
      admin_settings: {},
    });
  });

  test('every right that was changed is sent', () => {
    const rights = { generalPool: false, canSign: false, auditExempt: true };
    expect(changeOfDraft({ ...draft, ...rights }, base, base).admin_settings).toEqual({
      general_pool: false,
      can_sign: false,
      audit_exempt: true,
    });
  });

  test('a language that another admin has removed stays removed', () => {
    const languages = (reviewLanguages: PhysicianDetails['review_languages']) =>
      changeOfDraft({ ...draft, reviewLanguages }, base, current).settings?.review_languages;
    expect(languages(['en', 'he', 'es'])).toEqual(['en', 'es']);
    expect(languages(['he'])).toBeNull();
  });
});

describe('a group', () => {
  const base = {
    name: 'Readers',
    version: 1,
    settings: { capabilities: ['case.audit', 'phi.export'], pools: ['hand'], languages: ['en'] },
  } as unknown as Group;
  const current: Group = {
    ...base,
    version: 2,
    settings: { capabilities: ['case.audit', 'on_call'], pools: [], languages: ['en'] },
  };
  const draft = draftOfGroup(base);

  test('only what was changed is saved over what another admin has saved', () => {
    expect(changeOfGroup({ ...draft, name: ' Second readers ' }, base, current)).toEqual({
      name: 'Second readers',
      version: 2,
      settings: {},
    });
  });

  test('a right that another admin has withdrawn stays withdrawn, and one that was granted stays granted', () => {
    const capabilities = ['case.assign', 'case.audit', 'phi.export'] as const;
    expect(changeOfGroup({ ...draft, capabilities, pools: 'hand foot' }, base, current)).toEqual({
      version: 2,
      settings: { capabilities: ['case.audit', 'on_call', 'case.assign'], pools: ['foot'] },
    });
    expect(changeOfGroup({ ...draft, capabilities: [], languages: [] }, base, current).settings).toEqual({
      capabilities: ['on_call'],
      languages: [],
    });
  });
});

describe('parameters', () => {
  const set = (version: number, values: OfficeParameters['values']) =>
    ({
      version,
      values,
      defaults: {},
      visibility: 'staff',
      value_schema: null,
    }) as unknown as OfficeParameters;

  test('by their schema: another admin’s values stay but for the changed keys', () => {
    const kinds = ['own', 'removed', 'theirs', 'standard'].map(
      (key) => [key, { kind: 'number', isInteger: true, isAbove: false }] as const,
    ) as unknown as Parameters<typeof draftOf>[0];
    const base = { values: { own: 1, removed: 2, theirs: 3 }, defaults: { standard: 9 } };
    const current = { values: { own: 4, removed: 5, theirs: 6, unknown: 7 }, defaults: { standard: 9 } };
    const draft = {
      ...draftOf(kinds, base),
      own: { isOwn: true, entry: '8' },
      removed: { isOwn: false, entry: '2' },
      standard: { isOwn: false, entry: 'entered and given up' },
    };
    expect(ownValues(kinds, draft, base, current)).toEqual({ own: 8, theirs: 6 });
    const both = { ...current, values: { ...current.values, standard: 10 } };
    expect(ownValues(kinds, draft, base, both)).toEqual({ own: 8, theirs: 6, standard: 10 });
  });

  test('as JSON: another admin’s values stay but for the changed keys', () => {
    const base = set(1, { colour: 'teal', size: 1, links: { help: 'a' } });
    const current = { ...set(2, { colour: 'red', size: 2, links: { help: 'b' }, more: true }) };
    const text = '{ "links": { "help": "a" }, "colour": "blue" }';
    expect(changeOfJson({ text, visibility: 'staff' }, base, current)).toEqual({
      version: 2,
      values: { colour: 'blue', links: { help: 'b' }, more: true },
    });
    expect(changeOfJson({ ...jsonDraftOf(base), visibility: 'public' }, base, current)).toEqual({
      version: 2,
      visibility: 'public',
      values: current.values,
    });
  });

  test.each<[string, Partial<OfficeParameters>, boolean]>([
    ['a schema', { value_schema: {} }, true],
    ['a default of the platform', { defaults: { colour: 'teal' } }, true],
    ['neither', {}, false],
  ])('with %s who may read them is settled: %s, %s', (_, more, settled) => {
    const base = { ...set(1, { colour: 'red' }), ...more };
    expect(isSettled(base)).toBe(settled);
    const change = changeOfJson({ ...jsonDraftOf(base), visibility: 'public' }, base, base);
    expect(change.visibility).toBe(settled ? undefined : 'public');
  });
});
