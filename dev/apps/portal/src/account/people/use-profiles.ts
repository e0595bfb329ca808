import type { Profile } from 'dermagate-client';
import { listProfiles } from '../../gateway/case-calls.ts';
import { setRead, useRead } from '../../query/use-read.ts';

const KEY = ['profiles'];

/** The people whom the account acts for, its owner first; all pages see a change at once. */
export function useProfiles() {
  const read = useRead(KEY, (signal) => listProfiles(signal), { survivesLanguage: true });
  const profiles = read.value?.profiles;
  const set = (all: Profile[]) => setRead(KEY, { profiles: all });
  return {
    ...read,
    profiles,
    set,
    replace: (changed: Profile) =>
      set((profiles ?? []).map((each) => (each.uuid === changed.uuid ? changed : each))),
  };
}
