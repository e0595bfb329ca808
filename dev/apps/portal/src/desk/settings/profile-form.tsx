import type { Language, PhysicianDetails } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { changeMySettings } from '../../gateway/desk-calls.ts';
import { languageNames, languages } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { TextArea, TextInput } from '../answer/fields.tsx';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';

interface ProfileFormProps {
  profile: PhysicianDetails;
  onSaved: (after: PhysicianDetails) => void;
}

/** Name, signature and which cases are offered. */
export function ProfileForm({ profile, onSaved }: ProfileFormProps) {
  const { mySettings: words } = deskTexts.value;
  const { settings = {} } = profile;
  const [name, setName] = useState(settings.display_name ?? '');
  const [title, setTitle] = useState(settings.title ?? '');
  const [signature, setSignature] = useState(settings.signature_text ?? '');
  const [chosen, setChosen] = useState<readonly Language[]>(profile.review_languages);
  const [mail, setMail] = useState(settings.notify?.mail ?? true);
  const [push, setPush] = useState(settings.notify?.push ?? true);
  const [unique, setUnique] = useState(settings.unique_session ?? false);
  const [saved, setSaved] = useState(false);
  const work = useOnce();
  const orNull = (text: string) => text.trim() || null;
  const submit = (event: Event) => {
    event.preventDefault();
    const body = {
      version: profile.version,
      settings: {
        display_name: orNull(name),
        title: orNull(title),
        signature_text: orNull(signature),
        review_languages: chosen.length === 0 ? null : [...chosen],
        notify: { mail, push },
        unique_session: unique,
      },
    };
    setSaved(false);
    void work.run(
      () => changeMySettings(body),
      (after) => {
        setSaved(true);
        onSaved(after);
      },
    );
  };
  const toggle = (code: Language) =>
    setChosen(chosen.includes(code) ? chosen.filter((each) => each !== code) : [...chosen, code]);
  return (
    <section class="panel" aria-labelledby="profile">
      <h2 id="profile">{words.profile}</h2>
      <form onSubmit={submit}>
        <div class="pair">
          <TextInput label={words.titleLabel} value={title} onInput={setTitle} />
          <TextInput label={words.displayName} value={name} onInput={setName} />
        </div>
        <TextArea label={words.signature} value={signature} onInput={setSignature} />
        <fieldset>
          <legend>{words.languages}</legend>
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
            <input type="checkbox" checked={mail} onChange={() => setMail(!mail)} />
            {words.mail}
          </label>
          <label class="inline">
            <input type="checkbox" checked={push} onChange={() => setPush(!push)} />
            {words.push}
          </label>
        </fieldset>
        <label class="inline">
          <input type="checkbox" checked={unique} onChange={() => setUnique(!unique)} />
          {words.unique}
        </label>
        {work.failure !== undefined && <DeskFailure failure={work.failure} />}
        <button type="submit" class="small-button" aria-busy={work.busy}>
          {words.save}
        </button>
        <span role="status">{saved && words.saved}</span>
      </form>
    </section>
  );
}
