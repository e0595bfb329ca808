import { useHasBeen } from '../../ui/use-has-been.ts';
import { deskTexts } from '../i18n/texts.ts';
import { type Draft, type Incomplete, incompleteIn, type TreatmentDraft } from './draft.ts';
import { Choice, TextArea, TextInput } from './fields.tsx';

interface FurtherFieldsProps {
  draft: Draft;
  change: (patch: Partial<Draft>) => void;
}

const severities = ['none', 'mild', 'moderate', 'severe'] as const;
const agreements = ['agree', 'partial', 'disagree', 'not_considered'] as const;
const newTreatment: TreatmentDraft = { name: '', route: '', dosage_text: '', duration_text: '' };
/** With the characters that the gateway takes. */
const treatmentParts = [
  ['name', 200],
  ['route', 100],
  ['dosage_text', 500],
  ['duration_text', 200],
] as const;

/** What an answer can say besides what it must. */
export function FurtherFields({ draft, change }: FurtherFieldsProps) {
  const { answer: words } = deskTexts.value;
  const { treatments, follow_up: followUp, referral } = draft;
  const setTreatment = (index: number, patch: Partial<TreatmentDraft>) =>
    change({ treatments: treatments.map((each, at) => (at === index ? { ...each, ...patch } : each)) });
  const incomplete = incompleteIn(draft);
  const isUsed = useHasBeen(
    incomplete.length > 0 ||
      treatments.length > 0 ||
      followUp.in_days !== null ||
      referral.type !== '' ||
      draft.internal_note !== '',
  );
  const unnamed = treatments.findIndex(
    (each) => incompleteIn({ ...draft, treatments: [each] })[0] === 'treatments',
  );
  // What cannot be stored is shown where it stands, and not only when the answer is signed.
  const problem = (part: Incomplete) =>
    incomplete.includes(part) && <p class="field-error">{words.problems[part]}</p>;
  return (
    <>
      <div class="pair">
        <Choice
          label={words.severity}
          value={draft.severity}
          options={severities.map((value) => ({ value, label: words.severities[value] }))}
          none={words.notStated}
          onChange={(severity) => change({ severity })}
        />
        <Choice
          label={words.ai}
          value={draft.ai_agreement}
          options={agreements.map((value) => ({ value, label: words.agreement[value] }))}
          none={words.notStated}
          onChange={(agreement) => change({ ai_agreement: agreement })}
        />
      </div>
      <details open={isUsed}>
        <summary>{words.further}</summary>
        <fieldset>
          <legend>{words.treatments}</legend>
          {problem('treatments')}
          {treatments.map((treatment, index) => (
            <div key={index} class="treatment">
              {treatmentParts.map(([part, most]) => (
                <TextInput
                  key={part}
                  {...(part === 'name' && index === unnamed && { id: 'answer-treatments' })}
                  most={most}
                  label={words.treatment[part]}
                  value={treatment[part]}
                  onInput={(text) => setTreatment(index, { [part]: text })}
                />
              ))}
              <button
                type="button"
                class="secondary outline small-button"
                onClick={() => change({ treatments: treatments.filter((_, at) => at !== index) })}
              >
                {words.remove}
              </button>
            </div>
          ))}
          {treatments.length < 10 && (
            <button
              type="button"
              class="secondary outline small-button"
              onClick={() => change({ treatments: [...treatments, newTreatment] })}
            >
              {words.addTreatment}
            </button>
          )}
        </fieldset>
        <fieldset>
          <legend>{words.followUp}</legend>
          {problem('follow_up')}
          <div class="pair">
            <label>
              {words.inDays}
              <input
                id="answer-follow-up"
                type="number"
                min="0"
                max="3650"
                value={followUp.in_days ?? ''}
                onInput={({ currentTarget: { value } }) =>
                  change({
                    follow_up: { ...followUp, in_days: daysIn(value) },
                  })
                }
              />
            </label>
            <TextInput
              most={200}
              label={words.how}
              value={followUp.how}
              onInput={(how) => change({ follow_up: { ...followUp, how } })}
            />
          </div>
        </fieldset>
        <fieldset>
          <legend>{words.referral}</legend>
          {problem('referral')}
          <div class="pair">
            <TextInput
              id="answer-referral"
              most={100}
              label={words.referralTo}
              value={referral.type}
              onInput={(type) => change({ referral: { ...referral, type } })}
            />
            <TextInput
              most={64}
              label={words.referralUrgency}
              value={referral.urgency}
              onInput={(urgency) => change({ referral: { ...referral, urgency } })}
            />
          </div>
          <TextInput
            most={2000}
            label={words.referralText}
            value={referral.text}
            onInput={(text) => change({ referral: { ...referral, text } })}
          />
        </fieldset>
        <TextArea
          label={words.note}
          value={draft.internal_note}
          onInput={(note) => change({ internal_note: note })}
        />
      </details>
    </>
  );
}

/** As far ahead as the gateway takes it. */
const MOST_DAYS = 3650;

const daysIn = (typed: string): number | null =>
  typed === '' ? null : Math.min(MOST_DAYS, Math.max(0, Math.trunc(Number(typed))));
