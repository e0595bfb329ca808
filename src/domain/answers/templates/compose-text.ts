import type { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import { TemplateError } from '../../../lib/text-template/template-error.ts';
import { maxTextLength } from '../../../lib/text-template/template-engine.ts';
import type { AnswerData } from './answer-data.ts';
import { missingNames, readTemplate } from './answer-template.ts';
import { readBlocks, type TextBlock, writeBlocks } from './text-blocks.ts';

export interface ComposedText {
  text: string;
  blocks: TextBlock[];
  /** Placeholders of the template that have no value here. */
  missing: string[];
}

/**
 * A plain text from a template, or from the blocks that stand for one. The same data give the same text.
 * @throws {Problem} `template_invalid` when it takes too long or becomes too long.
 */
export function composeText(
  data: AnswerData,
  language: Language,
  source: { body: string } | { blocks: TextBlock[] },
): ComposedText {
  const { blocks, missing } =
    'blocks' in source ? { ...source, missing: [] } : rendered(data, language, source.body);
  const text = writeBlocks(blocks);
  if (text.length > maxTextLength) throw tooLarge(`The text has more than ${maxTextLength} characters.`);
  return { text, blocks, missing };
}

function rendered(data: AnswerData, language: Language, body: string) {
  try {
    const template = readTemplate(body, language);
    return { blocks: readBlocks(template.render(data)), missing: missingNames(template, data) };
  } catch (error) {
    if (error instanceof TemplateError) throw tooLarge(error.message, error);
    throw error;
  }
}

/** Templates were checked when they were saved: what is left to refuse is what these data make of one. */
const tooLarge = (detail: string, cause?: unknown) => new Problem('template_invalid', { detail, cause });
