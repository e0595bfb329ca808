import { languageNames, languages } from '../../i18n/texts.ts';
import { deskTexts } from '../i18n/texts.ts';
import { AnswerPreview } from './answer-preview.tsx';
import { DiagnosisList } from './diagnosis-list.tsx';
import type { Draft } from './draft.ts';
import { Choice, TextArea } from './fields.tsx';
import { FurtherFields } from './further-fields.tsx';
import { TemplateField } from './template-field.tsx';

export const actions = [
  'self_care_advice',
  'routine_physician_review',
  'physician_review_within_2_weeks',
  'physician_review_within_24h',
  'same_day_medical_review',
  'call_emergency_services',
  'retake_photos',
] as const;

interface AnswerFieldsProps {
  caseUuid: string;
  draft: Draft;
  change: (patch: Partial<Draft> | ((draft: Draft) => Draft)) => void;
}

/** Everything that an answer consists of, in the order in which a physician thinks. */
export function AnswerFields({ caseUuid, draft, change }: AnswerFieldsProps) {
  const { answer: words, yes, no } = deskTexts.value;
  const { language: lang } = draft;
  return (
    <>
      <DiagnosisList draft={draft} change={change} />
      <fieldset class="inline-choice" id="answer-photos" tabIndex={-1}>
        <legend>{words.photosOk}</legend>
        {[true, false].map((isOk) => (
          <label
            key={String(isOk)}
            class="inline"
            title={isOk ? words.keys.photosGood : words.keys.photosPoor}
          >
            <input
              type="radio"
              name="photos-ok"
              checked={draft.image_quality_ok === isOk}
              onChange={() => change({ image_quality_ok: isOk })}
            />
            {isOk ? yes : no}
          </label>
        ))}
      </fieldset>
      <Choice
        id="answer-action"
        label={words.action}
        value={draft.recommended_action}
        options={actions.map((value) => ({ value, label: words.actions[value] }))}
        none={words.choose}
        onChange={(action) => change({ recommended_action: action })}
      />
      <TextArea
        id="answer-recommendation"
        label={words.recommendation}
        lang={lang}
        value={draft.recommendation_text}
        onInput={(text) => change({ recommendation_text: text })}
      />
      <TextArea
        id="answer-message"
        label={words.message}
        lang={lang}
        value={draft.patient_message}
        onInput={(text) => change({ patient_message: text })}
      />
      <div class="pair">
        <TemplateField draft={draft} change={change} />
        <label>
          {words.language}
          <select
            value={lang}
            onChange={({ currentTarget }) => change({ language: currentTarget.value as Draft['language'] })}
          >
            {languages.map((code) => (
              <option key={code} value={code}>
                {languageNames[code]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <FurtherFields draft={draft} change={change} />
      <AnswerPreview caseUuid={caseUuid} draft={draft} />
    </>
  );
}
