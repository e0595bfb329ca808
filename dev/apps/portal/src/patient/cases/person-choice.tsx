import type { PartialAnamnesis, Profile } from 'dermagate-client';
import { texts } from '../../i18n/language.ts';
import { AddPerson } from '../../account/people/add-person.tsx';
import { fits } from './case-content.ts';
import { personName } from '../../account/people/person-name.ts';

interface PersonChoiceProps {
  profiles: readonly Profile[];
  anamnesis: PartialAnamnesis;
  chosen: string | undefined;
  onChoose: (uuid: string) => void;
  onProfiles: (profiles: Profile[]) => void;
  /** Whether adding a person is unfolded where there is no person to choose. */
  opensAdding?: boolean;
}

/** Whom the case is about: of the account's profiles those that the answers can be about. */
export function PersonChoice({
  profiles,
  anamnesis,
  chosen,
  onChoose,
  onProfiles,
  opensAdding = false,
}: PersonChoiceProps) {
  const { cases } = texts.value;
  const added = (profile: Profile, all: Profile[]) => {
    onProfiles(all);
    onChoose(profile.uuid);
  };
  const fitting = profiles.filter((profile) => fits(profile, anamnesis));
  return (
    <>
      <fieldset>
        <legend>{cases.who}</legend>
        {fitting.map((profile) => (
          <label key={profile.uuid} class="inline">
            <input
              type="radio"
              name="person"
              value={profile.uuid}
              checked={profile.uuid === chosen}
              onChange={() => onChoose(profile.uuid)}
            />
            <bdi>{personName(profile)}</bdi>
          </label>
        ))}
      </fieldset>
      {anamnesis.reporter !== 'self' && (
        <AddPerson onAdded={added} isOpen={opensAdding && fitting.length === 0} />
      )}
    </>
  );
}
