import type { Language } from '../../../../src/contract/language.ts';
import { loadMessages } from '../../../../src/domain/platform/texts/messages.ts';
import ar from '../messages/image-issues/ar.json' with { type: 'json' };
import en from '../messages/image-issues/en.json' with { type: 'json' };
import es from '../messages/image-issues/es.json' with { type: 'json' };
import he from '../messages/image-issues/he.json' with { type: 'json' };
import type { ImageIssue } from './verdict.ts';

const texts = loadMessages<Record<ImageIssue, string>>({ en, he, ar, es });

/** What is wrong with a photo and what to do about it, for the person who took it. */
export function issueText(issue: ImageIssue, language: Language): string {
  return texts.in(language)[issue];
}

export const areIssuesDrafted = texts.isMachineDrafted;
