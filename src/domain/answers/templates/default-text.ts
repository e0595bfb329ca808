import type { Language } from '../../../contract/language.ts';
import { embedded, fillText } from '../../platform/texts/messages.ts';
import type { AnswerData } from './answer-data.ts';
import { answerLabels } from './answer-labels.ts';
import { longDate } from './long-date.ts';
import type { TextBlock } from './text-blocks.ts';

/** For whom a text is written: clinicians get every code and certainty. */
export type Tone = 'patient' | 'clinical';

type Line = string | null | false | undefined;

const paragraph = (...lines: Line[]): TextBlock[] => {
  const text = lines.filter((line) => typeof line === 'string' && line !== '').join('\n');
  return text === '' ? [] : [{ kind: 'paragraph', text }];
};

const list = (heading: string, items: readonly string[]): TextBlock[] =>
  items.length === 0
    ? []
    : [...paragraph(heading), ...items.map((text): TextBlock => ({ kind: 'list_item', text }))];

/** Puts what people wrote between words of ours. */
function wordsIn(language: Language) {
  const labels = answerLabels(language);
  const own = (words: string | null) => (words === null ? '' : embedded(words, language));
  const join = (...parts: (string | null)[]) =>
    parts
      .filter((part) => part !== null && part !== '')
      .reduce<string>(
        (first, second) =>
          first === '' ? (second ?? '') : fillText(labels.joined, { first, second: second ?? '' }),
        '',
      );
  return { labels, own, join };
}

/** The text of an answer where no template was chosen: what to do comes first. */
export function defaultAnswer(data: AnswerData, language: Language): TextBlock[] {
  const { labels, own, join } = wordsIn(language);
  const { severity, follow_up: followUp, referral, physician } = data;
  const followup = join(
    followUp.on === null ? null : own(longDate(followUp.on, language)),
    own(followUp.how),
  );
  const referred = join(own(referral.type), own(referral.urgency));
  return [
    ...paragraph(own(data.action.text)),
    ...paragraph(own(data.recommendation_text)),
    ...defaultDiagnoses(data, language, 'patient'),
    ...paragraph(severity !== null && fillText(labels.severity, { severity: own(severity) })),
    ...list(
      labels.treatments,
      data.treatments.map(({ name, route, dosage, duration }) => {
        const detail = join(own(route), own(dosage), own(duration));
        return detail === '' ? own(name) : fillText(labels.treatment, { name: own(name), detail });
      }),
    ),
    ...paragraph(followup !== '' && fillText(labels.followUp, { followup })),
    ...paragraph(referred !== '' && fillText(labels.referral, { referral: referred }), own(referral.text)),
    ...paragraph(own(data.patient_message)),
    ...paragraph(
      own(physician.display_name),
      own(physician.signature),
      join(own(data.tenant.name), own(longDate(data.today, language))),
    ),
  ];
}

/** Diagnoses where no template was chosen. */
export function defaultDiagnoses(data: AnswerData, language: Language, tone: Tone): TextBlock[] {
  const { labels, own, join } = wordsIn(language);
  if (tone === 'clinical') {
    return data.diagnoses.map(({ name, code, certainty, is_primary: isPrimary }) => ({
      kind: 'list_item',
      text: join(own(name), own(code), own(certainty), isPrimary ? labels.primary : null),
    }));
  }
  const primary = data.diagnoses.find(({ is_primary: isPrimary }) => isPrimary);
  const others = data.diagnoses.filter((each) => each !== primary);
  const shown = (each: AnswerData['diagnoses'][number]) =>
    join(own(each.name), own(each.code), own(each.certainty));
  const isOut = ({ certainty_code: code }: AnswerData['diagnoses'][number]) => code === 'excluded';
  return [
    ...paragraph(primary && fillText(labels.diagnosis, { diagnosis: shown(primary) })),
    ...list(labels.otherDiagnoses, others.filter((each) => !isOut(each)).map(shown)),
    ...list(
      labels.ruledOut,
      others.filter(isOut).map((each) => join(own(each.name), own(each.code))),
    ),
  ];
}
