import type { PhysicianDetails } from 'dermagate-client';
import { expect, test } from 'vitest';
import { changeOfProfile, draftOfProfile } from '../src/desk/settings/profile-draft.ts';

type Settings = NonNullable<PhysicianDetails['settings']>;
const profile = (settings: Settings) => ({ settings, review_languages: ['he', 'ar'] });
const stored = profile({ title: 'Dr.', display_name: 'Levi', notify: { push: false } });

test('the languages to choose from start with one’s own choice, not with what groups add', () => {
  expect(draftOfProfile(stored).reviewLanguages).toEqual([]);
  expect(draftOfProfile(profile({ review_languages: ['es'] })).reviewLanguages).toEqual(['es']);
});

test('only what was changed is sent, with the version that the gateway has', () => {
  const draft = draftOfProfile(stored);
  expect(changeOfProfile(draft, stored, 3)).toEqual({ version: 3, settings: {} });
  expect(changeOfProfile({ ...draft, signature: ' Dr. Levi ', mail: false }, stored, 4)).toEqual({
    version: 4,
    settings: { signature_text: 'Dr. Levi', notify: { mail: false } },
  });
  expect(changeOfProfile({ ...draft, reviewLanguages: ['en', 'he'] }, stored, 4).settings).toEqual({
    review_languages: ['en', 'he'],
  });
});

test('what is cleared is removed', () => {
  const chosen = profile({ title: 'Dr.', review_languages: ['he'], unique_session: true });
  const cleared = { ...draftOfProfile(chosen), title: ' ', reviewLanguages: [], uniqueSession: false };
  expect(changeOfProfile(cleared, chosen, 1).settings).toEqual({
    title: null,
    review_languages: null,
    unique_session: false,
  });
});

test('tabs and marks of direction, which come with pasted names, are not sent', () => {
  const draft = { ...draftOfProfile(stored), title: '\u2068Prof.\u2069', displayName: 'Noa\tLevi\u200F' };
  expect(changeOfProfile(draft, stored, 1).settings).toEqual({ title: 'Prof.', display_name: 'Noa Levi' });
});
