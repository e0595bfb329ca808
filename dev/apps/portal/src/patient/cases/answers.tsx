import type { MobileCase } from 'dermagate-client';
import { readAnswers } from '../../gateway/case-calls.ts';
import { dateAndTime } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useLoaded } from '../../query/use-loaded.ts';

/** What doctors have answered, as they wrote it, the newest first. */
export function Answers({ shown: { uuid, version } }: { shown: MobileCase }) {
  const { cases } = texts.value;
  const { outcome, again } = useLoaded((signal) => readAnswers(uuid, signal), `${uuid} ${version}`);
  return (
    <section class="part" aria-labelledby="answer">
      <h2 id="answer">{cases.answer}</h2>
      {outcome === undefined && <Loading />}
      {outcome?.ok === false && <FailureNotice failure={outcome.failure} onRetry={again} />}
      {outcome?.ok &&
        outcome.value.annotations.map(
          ({ uuid: id, author, language, published_at: at, rendered_text: text }) => (
            <div key={id}>
              <p class="small">
                {fill(cases.answerBy, { name: author.display_name, date: dateAndTime(new Date(at)) })}
              </p>
              <p class="message" dir="auto" lang={language}>
                {text}
              </p>
            </div>
          ),
        )}
    </section>
  );
}
