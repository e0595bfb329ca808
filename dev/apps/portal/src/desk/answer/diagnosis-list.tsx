import type { DiagnosisInput } from 'dermagate-client';
import { fill } from '../../i18n/texts.ts';
import { deskTexts } from '../i18n/texts.ts';
import { DiseaseField } from './disease-field.tsx';
import { type Draft, MOST_DIAGNOSES, withDiagnosis, withoutDiagnosis } from './draft.ts';

const certainties = ['confirmed', 'probable', 'possible', 'excluded'] as const;

interface DiagnosisListProps {
  draft: Draft;
  change: (change: (draft: Draft) => Draft) => void;
}

/** The stated diagnoses, and a field that finds another one. */
export function DiagnosisList({ draft, change }: DiagnosisListProps) {
  const { answer: words } = deskTexts.value;
  const set = (index: number, patch: Partial<DiagnosisInput>) =>
    change((before) => ({
      ...before,
      diagnoses: before.diagnoses.map((each, at) => (at === index ? { ...each, ...patch } : each)),
    }));
  const makePrimary = (index: number) =>
    change((before) => ({
      ...before,
      diagnoses: before.diagnoses.map((each, at) => ({ ...each, is_primary: at === index })),
    }));
  return (
    <fieldset class="diagnoses">
      <legend>{words.diagnoses}</legend>
      {draft.diagnoses.length > 0 && (
        <ol>
          {draft.diagnoses.map(
            ({ code, code_system: system, text, certainty, is_primary: primary }, index) => (
              <li key={`${system} ${code} ${text}`}>
                <label class="primary">
                  <input
                    type="radio"
                    name="primary"
                    checked={primary}
                    aria-label={fill(words.primaryOf, { name: text })}
                    onChange={() => makePrimary(index)}
                  />
                  <span class="small" aria-hidden="true">
                    {words.primary}
                  </span>
                </label>
                <span class="name" dir="auto">
                  {text} <span class="code">{code}</span>
                </span>
                <select
                  aria-label={fill(words.certaintyOf, { name: text })}
                  value={certainty}
                  onChange={({ currentTarget }) =>
                    set(index, { certainty: currentTarget.value as DiagnosisInput['certainty'] })
                  }
                >
                  {certainties.map((each) => (
                    <option key={each} value={each}>
                      {words.certainty[each]}
                    </option>
                  ))}
                </select>
                <button
                  type="button"
                  class="bare remove"
                  aria-label={fill(words.removeOf, { name: text })}
                  title={words.remove}
                  onClick={() => {
                    change((before) => withoutDiagnosis(before, index));
                    document.getElementById('answer-diagnosis')?.focus();
                  }}
                >
                  ×
                </button>
              </li>
            ),
          )}
        </ol>
      )}
      {/* Stays when it can add nothing more: without it the next letters would be keys of the page. */}
      <DiseaseField
        id="answer-diagnosis"
        label={words.findDisease}
        onFreeText={(text) => {
          const [code = '', ...rest] = text.split(/\s+/);
          const own = { disease_id: null, code: code.toUpperCase(), code_system: 'icd10' };
          change((before) => withDiagnosis(before, { ...own, text: rest.join(' ') }));
        }}
        onPick={({ disease_id: own, id, code, name }) =>
          change((before) =>
            withDiagnosis(before, { disease_id: own ?? id, code, code_system: 'dermagate', text: name }),
          )
        }
      />
      {draft.diagnoses.length >= MOST_DIAGNOSES && <p class="small">{words.fiveDiagnoses}</p>}
    </fieldset>
  );
}
