import type { Language } from '../../../src/contract/language.ts';
import type { Interview, Step } from './interview.ts';

export interface TitledInterview extends Interview {
  title: string;
}

/** Intakes as Markdown: every question as shown, with the chosen answer. */
export function transcriptOf(language: Language, interviews: readonly TitledInterview[]): string {
  const direction = language === 'he' || language === 'ar' ? 'rtl' : 'ltr';
  return [
    `# Recorded intakes (${language})`,
    'Made by `dev/tools/intake/record-transcripts.ts`; not for clinical use. The patients are made up.',
    ...(interviews.some(({ steps, end }) =>
      [...steps.map(({ question }) => question), end].some((it) => it.machineDrafted),
    )
      ? ['**The texts were drafted by a machine and no native clinician has reviewed them yet.**']
      : []),
    `<div dir="${direction}" lang="${language}">`,
    ...interviews.flatMap((interview) => [`## ${interview.title}`, ...linesOf(interview)]),
    '</div>',
    '',
  ].join('\n\n');
}

function linesOf({ steps, end, redFlags, triage, diagnosis }: Interview): string[] {
  return [
    ...steps.flatMap((step, index) => questionLines(step, index + 1)),
    end.emergency ? '### End: an emergency' : '### End',
    ...(end.emergencyDetails ?? []).map(({ text }) => `> ${text}`),
    ...list(
      'Red flags',
      (redFlags.flagDetails ?? []).map(({ code, text, urgency }) => `${urgency} \`${code}\`: ${text}`),
    ),
    `**Triage: ${triage.priority}, ${triage.urgencyScore} of 10.** ${triage.recommendedActionText ?? ''}`,
    ...list(
      'Reasons',
      triage.reasons.map(({ code, text }) => `\`${code}\`: ${text}`),
    ),
    ...list(
      'Predictions',
      (diagnosis?.predictions ?? []).map(({ name, disease, probability, confidence, explanation = [] }) =>
        [
          `${name ?? disease}: ${percent(probability)}, ${confidence}`,
          ...explanation.map((line) => `  - ${line}`),
        ].join('\n'),
      ),
    ),
  ];
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function questionLines({ question, answer, verdict }: Step, number: number): string[] {
  const { questionId, questionType, fieldName, questionText, help, progress = 0, required } = question;
  const facts = [`\`${questionId}\``, questionType, `\`${fieldName}\``, required ? 'required' : 'optional'];
  return [
    `### ${number}. ${questionText}`,
    `${facts.join(' · ')} · ${percent(progress)}`,
    ...(help === undefined ? [] : [`*${help}*`]),
    answerLines(question, answer),
    ...(verdict === undefined ? [] : [`${verdict.isValid ? '✓' : '✗'} ${verdict.score}`]),
  ];
}

function answerLines(
  { questionType, options, optionValues = [], unit }: Step['question'],
  answer: Step['answer'],
): string {
  if (questionType === 'camera') return '📷';
  if (options.length === 0)
    return answer === undefined ? '→ –' : `→ ${String(answer)}${unit ? ` ${unit}` : ''}`;
  const chosen = new Set<unknown>(Array.isArray(answer) ? answer : [answer]);
  return options
    .map((option, index) => `- ${chosen.has(optionValues[index]) ? `[x] **${option}**` : `[ ] ${option}`}`)
    .join('\n');
}

const list = (title: string, items: readonly string[]) =>
  items.length === 0 ? [] : [`**${title}**`, items.map((item) => `- ${item}`).join('\n')];
