import { number } from '../i18n/format.ts';
import { texts } from '../i18n/language.ts';
import { fill } from '../i18n/texts.ts';
import { isAnswered, photosOf, type Step } from '../intake/intake.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { StoredPhoto } from '../photo/stored-photo.tsx';
import { go } from '../session/route.ts';
import { CheckIcon, WarningIcon } from '../ui/icons.tsx';
import { PageTitle } from '../ui/page-title.tsx';

/** After the last question: a look at the photos before everything is sent. */
export function ReviewPage({ intake }: { intake: IntakeSession }) {
  const { common, review } = texts.value;
  const { steps } = intake.intake.value;
  const send = () => {
    intake.apply({ type: 'submitted' });
    go('/result');
  };
  const answered = steps.filter(isAnswered).length;
  const counts = { count: number(answered), skipped: number(steps.length - answered) };
  return (
    <section class="card">
      <PageTitle about="review">{review.title}</PageTitle>
      <p class="lead">{review.lead}</p>
      <p>{fill(review.answers, counts)}</p>
      <h2>{review.photos}</h2>
      <ul class="photos">
        {photosOf(intake.intake.value).map((step, index) => (
          <li key={step.questionId}>
            <ReviewedPhoto step={step} position={index + 1} />
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" class="secondary outline" onClick={() => intake.apply({ type: 'went-back' })}>
          {common.back}
        </button>
        <button type="button" onClick={send}>
          {review.send}
        </button>
      </div>
    </section>
  );
}

function ReviewedPhoto({ step: { answer, quality }, position }: { step: Step; position: number }) {
  const { photo } = texts.value;
  const label = fill(photo.number, { number: number(position) });
  return (
    <figure>
      <StoredPhoto path={String(answer)} alt={label} />
      <figcaption>
        {quality?.isValid === true && <CheckIcon />}
        {quality?.isValid === false && <WarningIcon />}
        <span>
          {label}
          {quality !== undefined && <>: {quality.isValid ? photo.good : photo.unusable}</>}
        </span>
      </figcaption>
    </figure>
  );
}
