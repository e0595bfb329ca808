import { expect, test } from 'vitest';
import {
  storedAdminSettings,
  storedSettings,
} from '../../../../src/domain/identity/physicians/physician-settings.schemas.ts';

test('a stored setting that is unknown or does not fit counts as absent and takes no other along', () => {
  const admin = { can_sign: false, max_open_cases: 0, of_a_newer_version: true };
  expect(storedAdminSettings(admin)).toEqual({ can_sign: false });
  const own = { title: 'Dr.', page_size: 5000, notify: { mail: false }, of_a_newer_version: {} };
  expect(storedSettings(own)).toEqual({ title: 'Dr.', notify: { mail: false } });
});

test.each([null, undefined, [], 'text'])('stored settings that are no object are none: %j', (stored) => {
  expect([storedSettings(stored), storedAdminSettings(stored)]).toEqual([{}, {}]);
});
