import type { CaseDetail, HistoryReason } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { readHistory } from '../../gateway/desk-calls.ts';
import { number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { Loading } from '../../ui/loading.tsx';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { CaseRows } from '../list/case-rows.tsx';
import { PageTurner } from '../list/page-turner.tsx';

const reasons = ['treatment', 'audit', 'support'] as const satisfies readonly HistoryReason[];

/** The patient's other cases; read on request only, because each reading is recorded. */
export function PatientHistory({ shown }: { shown: CaseDetail }) {
  const { history: words } = deskTexts.value;
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState<HistoryReason>();
  return (
    <section class="panel" aria-labelledby="history">
      <h2 id="history">{words.title}</h2>
      {shown.history_count === 0 && <p class="small">{words.none}</p>}
      {shown.history_count > 0 && !isOpen && (
        <button type="button" class="secondary outline small-button" onClick={() => setOpen(true)}>
          {fill(words.open, { count: number(shown.history_count) })}
        </button>
      )}
      {isOpen && <HistoryList key={reason} shown={shown} reason={reason} onReason={setReason} />}
    </section>
  );
}

interface HistoryListProps {
  shown: CaseDetail;
  reason: HistoryReason | undefined;
  onReason: (reason: HistoryReason) => void;
}

function HistoryList({ shown, reason, onReason }: HistoryListProps) {
  const { uuid } = shown.patient;
  const [cursors, turnTo] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const { value, failure, busy, again } = useRead(
    ['history', uuid, reason, cursor],
    (signal) => readHistory(uuid, { reason, cursor }, signal),
    { keepsPrevious: true },
  );
  if (failure?.reason === 'reason_required') return <ReasonForm onReason={onReason} />;
  if (failure !== undefined) return <DeskFailure failure={failure} onRetry={again} />;
  if (value === undefined) return <Loading />;
  const others = value.items.filter((item) => item.uuid !== shown.uuid);
  return (
    <div aria-busy={busy}>
      <CaseRows
        cases={others}
        detailOf={({ final_annotation: answer }) =>
          answer === null
            ? deskTexts.value.history.noAnswer
            : answer.diagnoses.map(({ text }) => text).join(', ')
        }
      />
      <PageTurner cursors={cursors} next={value.next_cursor} onTurn={turnTo} />
    </div>
  );
}

function ReasonForm({ onReason }: { onReason: (reason: HistoryReason) => void }) {
  const { history: words } = deskTexts.value;
  const [chosen, choose] = useState<HistoryReason>('treatment');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onReason(chosen);
      }}
    >
      <p>{words.reason}</p>
      {reasons.map((each) => (
        <label key={each} class="inline">
          <input type="radio" name="reason" checked={chosen === each} onChange={() => choose(each)} />
          {words.reasons[each]}
        </label>
      ))}
      <button type="submit" class="small-button">
        {words.show}
      </button>
    </form>
  );
}
