import type { MobileCase, Profile } from 'dermagate-client';

type Named = Pick<Profile, 'given_name' | 'family_name'>;

export const nameOf = ({ given_name: given, family_name: family }: Named): string | undefined =>
  [given, family].filter(Boolean).join(' ') || undefined;

/** Of a person without a name the gateway states a number, which means nothing on paper. */
export function nameOfPatient(
  { uuid, display_name: shown }: Pick<MobileCase['patient'], 'uuid' | 'display_name'>,
  profiles: readonly (Named & Pick<Profile, 'uuid'>)[],
): string | undefined {
  const profile = profiles.find((each) => each.uuid === uuid);
  return profile === undefined ? (shown ?? undefined) : nameOf(profile);
}
