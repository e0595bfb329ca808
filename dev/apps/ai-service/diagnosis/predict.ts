import type { Language } from '../../../../src/contract/language.ts';
import { type Answers, complaintOf, readAnswers } from './answers.ts';
import { calibrate, calibration, curveFor } from './calibration.ts';
import { catalogue } from './catalogue.ts';
import { diseaseName } from './disease-name.ts';
import { explain } from './explain.ts';
import { noticesOf, noticeText } from './notices.ts';
import { rankDiseases } from './rank.ts';

export type Confidence = 'low' | 'medium' | 'high';

export interface Prediction {
  disease: string;
  /** Calibrated: the share of measured cases with such a score that were this disease. Four decimals; the five do not sum to 1. */
  probability: number;
  confidence: Confidence;
  name: string;
  icd10: string;
  explanation: string[];
}

const shown = 5;

export interface Diagnosis {
  predictions: Prediction[];
  /** The limits of these probabilities, in the caller's language. */
  notice: string;
}

/** The five likeliest diseases of a (partial) anamnesis. The same answers give the same predictions. */
export function predict(anamnesis: object, language: Language = 'en'): Prediction[] {
  return diagnose(anamnesis, language).predictions;
}

/** The predictions with their notices. */
export function diagnose(anamnesis: object, language: Language): Diagnosis {
  const answers = readAnswers(anamnesis);
  const answered = answeredFields(answers);
  const ranked = rankDiseases(anamnesis);
  const probabilities = calibrate(
    ranked.map(({ probability }) => probability),
    curveFor(calibration, complaintOf(answers), ranked[0]?.disease),
  );
  return {
    predictions: ranked.slice(0, shown).map(({ disease, contributions }, index) => {
      const probability = probabilities[index] ?? 0;
      return {
        disease: disease.slug,
        probability: Math.round(probability * 10_000) / 10_000,
        confidence: confidenceIn(probability, answered),
        name: diseaseName(disease, language),
        icd10: disease.icd10,
        explanation: explain(contributions, language),
      };
    }),
    notice: noticeText(noticesOf(answers, answered, ranked), language),
  };
}

const fieldsThatCount = new Set(catalogue.flatMap(({ hints }) => hints.map(({ field }) => field)));

function answeredFields({ values }: Answers): number {
  return [...values.keys()].filter((field) => fieldsThatCount.has(field)).length;
}

/**
 * From the calibrated probability, so `medium` means that every second such prediction was right. Where rashes were
 * measured, no probability was; there every prediction is `low`.
 */
export function confidenceIn(probability: number, fieldsAnswered: number): Confidence {
  if (probability >= 0.8 && fieldsAnswered >= 8) return 'high';
  return probability >= 0.5 ? 'medium' : 'low';
}
