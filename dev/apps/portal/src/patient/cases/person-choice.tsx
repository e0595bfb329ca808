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
}

/** Whom the case is about: of the account's profiles those that the answers can be about. */
export function PersonChoice({ profiles, anamnesis, chosen, onChoose, onProfiles }: PersonChoiceProps) {
  const { cases } = texts.value;
  const added = (profile: Profile, all: Profile[]) => {
    onProfiles(all);
    onChoose(profile.uuid);
  };
  return (
    <>
      <fieldset>
        <legend>{cases.who}</legend>
        {profiles
          .filter((profile) => fits(profile, anamnesis))
          .map((profile) => (
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
      {anamnesis.reporter !== 'self' && <AddPerson onAdded={added} />}
    </>
  );
}
