import type { Language } from '../../../../src/contract/language.ts';
import { loadMessages } from '../../../../src/domain/platform/texts/messages.ts';
import ar from '../messages/notices/ar.json' with { type: 'json' };
import en from '../messages/notices/en.json' with { type: 'json' };
import es from '../messages/notices/es.json' with { type: 'json' };
import he from '../messages/notices/he.json' with { type: 'json' };
import { type Answers, complaintOf } from './answers.ts';
import { calibration, curveFor, isBeyond, isMeasured } from './calibration.ts';
import type { RankedDisease } from './rank.ts';

export type NoticeCode = keyof typeof en;

const texts = loadMessages<typeof en>({ en, he, ar, es });

export const areNoticesDrafted = texts.isMachineDrafted;

export const noticeText = (codes: readonly NoticeCode[], language: Language): string =>
  codes.map((code) => texts.in(language)[code]).join(' ');

/** Of SCIN's cases with fewer answers, the label was among the first three predictions in a third; of the others, in half. */
const fewAnswers = 5;

/** SCIN asked only adults; one in eighty of PAD's lesions belonged to a younger patient. */
const minors: ReadonlySet<string> = new Set(['age_0_to_1', 'age_2_to_11', 'age_12_to_17']);

/** The limits of these probabilities, given the answers, after the standing notice of a reference service. */
export function noticesOf(
  answers: Answers,
  answeredFields: number,
  ranked: readonly RankedDisease[],
): NoticeCode[] {
  const [first] = ranked;
  const complaint = complaintOf(answers);
  const isOfMinor = answers.values.get('patient.ageGroup')?.some((group) => minors.has(group)) ?? false;
  const possible: Record<NoticeCode, boolean> = {
    few_answers: answeredFields < fewAnswers,
    complaint_not_measured: !isMeasured(complaint),
    disease_not_measured: !calibration.measuredFirsts.has(first?.disease.slug ?? ''),
    age_not_measured: isOfMinor,
    growths_of_one_clinic: complaint === 'growth_or_mole',
    beyond_measured: isBeyond(first?.probability ?? 0, curveFor(calibration, complaint, first?.disease)),
    reference: true,
  };
  return (Object.keys(possible) as NoticeCode[]).filter((code) => possible[code]);
}
