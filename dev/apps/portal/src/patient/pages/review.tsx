import type { NextQuestion } from 'dermagate-client';
import { AnswerList } from '../answers/answer-list.tsx';
import { number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { DraftNote } from '../draft/draft-note.tsx';
import { finalSteps, openSafetyQuestions } from '../intake/final-answers.ts';
import { isAnswered } from '../intake/intake.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { UrgentFlags } from '../result/urgent-flags.tsx';
import { go, goToQuestionBefore } from '../../session/route.ts';
import { WarningIcon } from '../../ui/icons.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ReplyNotes } from '../../ui/reply-notes.tsx';

/** After the last question and before the assessment: every answer, each of which can be changed. */
export function ReviewPage({ intake, end }: { intake: IntakeSession; end: NextQuestion }) {
  const { cases, common, result, review } = texts.value;
  const send = () => {
    intake.apply({ type: 'submitted' });
    go('/result');
  };
  const steps = finalSteps(intake.intake.value);
  const answered = steps.filter(isAnswered).length;
  const counts = { count: number(answered), skipped: number(steps.length - answered) };
  const open = openSafetyQuestions(intake.intake.value);
  return (
    <section class="card">
      <PageTitle about="review">{review.title}</PageTitle>
      <UrgentFlags intake={intake} />
      <p class="lead">{review.lead}</p>
      <p>{fill(review.answers, counts)}</p>
      {intake.intake.value.base !== undefined && <p>{cases.earlier}</p>}
      {open > 0 && (
        <p class="notice warning">
          <WarningIcon />
          <span>{fill(result.safetyOpen, { count: number(open) })}</span>
        </p>
      )}
      <AnswerList intake={intake} canChange />
      <DraftNote intake={intake} />
      <div class="actions">
        <button type="button" class="secondary outline" onClick={goToQuestionBefore}>
          {common.back}
        </button>
        <button type="button" onClick={send}>
          {review.send}
        </button>
      </div>
      <ReplyNotes replies={[end]} />
    </section>
  );
}
