import type { Language, PhysicianDetails } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import { changeMySettings, readMyProfile } from '../../gateway/desk-calls.ts';
import { languageNames, languages } from '../../i18n/texts.ts';
import { FormProblems } from '../../staff/form-problems.tsx';
import { useVersioned } from '../../staff/use-versioned.ts';
import { TextArea, TextInput } from '../answer/fields.tsx';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { changeOfProfile, draftOfProfile } from './profile-draft.ts';

interface ProfileFormProps {
  profile: PhysicianDetails;
  onSaved: (after: PhysicianDetails) => void;
}

/** Name, signature and which cases are offered. */
export function ProfileForm({ profile, onSaved }: ProfileFormProps) {
  const { mySettings: words } = deskTexts.value;
  const form = useVersioned({
    about: `profile ${profile.uuid}`,
    entity: profile,
    toDraft: draftOfProfile,
    read: () => readProfile(profile.uuid),
    write: (entries, { version }, base) => changeMySettings(changeOfProfile(entries, base, version)),
    onSaved,
  });
  const { draft, change, failure } = form;
  const { reviewLanguages: chosen } = draft;
  const toggle = (code: Language) =>
    change({
      reviewLanguages: chosen.includes(code) ? chosen.filter((each) => each !== code) : [...chosen, code],
    });
  return (
    <section class="panel" aria-labelledby="profile">
      <h2 id="profile">{words.profile}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void form.save();
        }}
      >
        <div class="pair">
          <TextInput
            label={words.titleLabel}
            most={60}
            value={draft.title}
            onInput={(title) => change({ title })}
          />
          <TextInput
            label={words.displayName}
            most={120}
            value={draft.displayName}
            onInput={(displayName) => change({ displayName })}
          />
        </div>
        <TextArea
          label={words.signature}
          most={500}
          value={draft.signature}
          onInput={(signature) => change({ signature })}
        />
        <fieldset>
          <legend>{words.languages}</legend>
          <p class="small">{words.languagesHint}</p>
          {languages.map((code) => (
            <label key={code} class="inline">
              <input type="checkbox" checked={chosen.includes(code)} onChange={() => toggle(code)} />
              <span lang={code}>{languageNames[code]}</span>
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>{words.messages}</legend>
          <label class="inline">
            <input type="checkbox" checked={draft.mail} onChange={() => change({ mail: !draft.mail })} />
            {words.mail}
          </label>
          <label class="inline">
            <input type="checkbox" checked={draft.push} onChange={() => change({ push: !draft.push })} />
            {words.push}
          </label>
        </fieldset>
        <label class="inline">
          <input
            type="checkbox"
            checked={draft.uniqueSession}
            onChange={() => change({ uniqueSession: !draft.uniqueSession })}
          />
          {words.unique}
        </label>
        {failure?.reason === 'version_conflict' && (
          <FormProblems
            failure={failure}
            problems={[]}
            onTakeTheirs={() => void form.takeTheirs()}
            onKeepMine={() => void form.keepMine()}
          />
        )}
        {failure !== undefined && failure.reason !== 'version_conflict' && <DeskFailure failure={failure} />}
        <button type="submit" class="small-button" aria-busy={form.busy}>
          {words.save}
        </button>
        <span role="status">{form.isSaved && words.saved}</span>
      </form>
    </section>
  );
}

/** A list of one, because the gateway reads physicians by list only. */
async function readProfile(uuid: string): Promise<Outcome<PhysicianDetails>> {
  const found = await readMyProfile(uuid, new AbortController().signal);
  if (!found.ok) return found;
  const [profile] = found.value.items;
  if (profile !== undefined) return { ok: true, value: profile };
  return { ok: false, failure: { code: 'not_found', reason: 'physician_not_found', fields: {} } };
}
