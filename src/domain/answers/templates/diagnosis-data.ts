import type { Language } from '../../../contract/language.ts';
import type { Disease } from '../../catalogue/diseases/disease.queries.ts';
import type { DiagnosisStatement } from '../annotations/diagnosis-statement.schemas.ts';
import type { AnswerData } from './answer-data.ts';
import { answerLabels } from './answer-labels.ts';

/**
 * Diagnoses in words, with codes that people know.
 * @param names as the physician wrote them (a name of the catalogue in the language of the text), or always as the catalogue has
 *   them.
 */
export function diagnosesIn(
  language: Language,
  stated: readonly DiagnosisStatement[],
  diseases: ReadonlyMap<number, Disease>,
  names: 'written' | 'catalogue' = 'written',
): Pick<AnswerData, 'diagnosis' | 'diagnoses'> {
  const { certainties } = answerLabels(language);
  const diagnoses = stated.map((each) => {
    const disease = diseases.get(each.disease_id ?? 0);
    const isOwn = each.code_system === 'dermagate' || each.code === '';
    // The name of another language: chosen from the catalogue rather than written.
    const isChosen = Object.values(disease?.names ?? {}).includes(each.text);
    return {
      name: (names === 'catalogue' || isChosen ? disease?.names[language] : undefined) ?? each.text,
      code: isOwn ? (disease?.icd10 ?? null) : each.code,
      certainty: certainties[each.certainty],
      certainty_code: each.certainty,
      is_primary: each.is_primary,
    };
  });
  const primary = diagnoses.find(({ is_primary: isPrimary }) => isPrimary);
  return {
    diagnoses,
    diagnosis: primary ?? { name: null, code: null, certainty: null, certainty_code: null },
  };
}
