import type { Language } from '../../../src/domain/anamnesis/enums/patient.ts';
import { readAnswers } from './answers.ts';
import { catalogue } from './catalogue.ts';
import { diseaseName } from './disease-name.ts';
import { explain } from './explain.ts';
import { rankDiseases } from './rank.ts';

export type Confidence = 'low' | 'medium' | 'high';

export interface Prediction {
  disease: string;
  /** 0–1, four decimals; the five do not sum to 1. */
  probability: number;
  confidence: Confidence;
  name: string;
  icd10: string;
  explanation: string[];
}

const shown = 5;

/** The five likeliest diseases of a (partial) anamnesis. The same answers give the same predictions. */
export function predict(anamnesis: object, language: Language = 'en'): Prediction[] {
  const fields = answeredFields(anamnesis);
  return rankDiseases(anamnesis)
    .slice(0, shown)
    .map(({ disease, probability, contributions }) => ({
      disease: disease.slug,
      probability: Math.round(probability * 10_000) / 10_000,
      confidence: confidenceIn(probability, fields),
      name: diseaseName(disease, language),
      icd10: disease.icd10,
      explanation: explain(contributions, language),
    }));
}

const fieldsThatCount = new Set(catalogue.flatMap(({ hints }) => hints.map(({ field }) => field)));

function answeredFields(anamnesis: object): number {
  return [...readAnswers(anamnesis).values.keys()].filter((field) => fieldsThatCount.has(field)).length;
}

/** Measured on SCIN: a posterior near .5 was right in about half of the cases, and few cases go higher. */
export function confidenceIn(probability: number, fieldsAnswered: number): Confidence {
  if (probability >= 0.8 && fieldsAnswered >= 8) return 'high';
  return probability >= 0.5 ? 'medium' : 'low';
}
