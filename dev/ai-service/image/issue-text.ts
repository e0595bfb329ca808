import type { Language } from '../../../src/domain/anamnesis/enums/patient.ts';
import ar from '../messages/ar.json' with { type: 'json' };
import en from '../messages/en.json' with { type: 'json' };
import es from '../messages/es.json' with { type: 'json' };
import he from '../messages/he.json' with { type: 'json' };
import type { ImageIssue } from './verdict.ts';

/** he, ar and es are machine-drafted until a native clinician has reviewed them. */
const texts: Record<Language, Record<ImageIssue, string>> = { en, he, ar, es };

/** What is wrong with a photo and what to do about it, for the person who took it. */
export function issueText(issue: ImageIssue, language: Language): string {
  return texts[language][issue];
}
