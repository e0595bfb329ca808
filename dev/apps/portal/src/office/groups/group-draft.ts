import type { Capability, Group, GroupChange, GroupSettings, Language } from 'dermagate-client';
import { changedEntries, mergedList } from '../../staff/changed-entries.ts';

/** The entries of the form about a group. */
export interface GroupDraft {
  name: string;
  capabilities: readonly Capability[];
  /** Names, separated by commas or spaces. */
  pools: string;
  languages: readonly Language[];
}

export const emptyGroup: GroupDraft = { name: '', capabilities: [], pools: '', languages: [] };

export const draftOfGroup = ({ name, settings }: Group): GroupDraft => ({
  name,
  capabilities: settings.capabilities,
  pools: settings.pools.join(', '),
  languages: settings.languages,
});

export const settingsOf = ({ capabilities, pools, languages }: GroupDraft): GroupSettings => ({
  capabilities: [...capabilities],
  pools: [...new Set(pools.split(/[\s,]+/).filter(Boolean))],
  languages: [...languages],
});

/**
 * What differs from `base`, the group that the draft began from. A list is sent as a whole: what another has added to it or
 * removed from it since stays so.
 * @param current whose version is sent.
 */
export function changeOfGroup(
  draft: GroupDraft,
  base: Group,
  { version, settings: theirs }: Group,
): GroupChange & { version: number } {
  const { capabilities, pools, languages } = changedEntries(settingsOf(draft), base.settings);
  const { settings: before } = base;
  return {
    version,
    ...(draft.name !== base.name && { name: draft.name.trim() }),
    settings: {
      ...(capabilities && {
        capabilities: mergedList(capabilities, before.capabilities, theirs.capabilities),
      }),
      ...(pools && { pools: mergedList(pools, before.pools, theirs.pools) }),
      ...(languages && { languages: mergedList(languages, before.languages, theirs.languages) }),
    },
  };
}
