import type { CaseSummary } from 'dermagate-client';
import { searchCases } from '../../gateway/desk-calls.ts';
import { useRead } from '../../query/use-read.ts';
import { Loading } from '../../ui/loading.tsx';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { moveInList, useKeys } from '../keys/use-keys.ts';
import { CaseRows } from '../list/case-rows.tsx';
import { useMayAudit, useMyProfile } from '../parts/my-profile.ts';
import { NextCaseButton } from '../take/next-case.tsx';
import { QueueCounts } from './queue-counts.tsx';

/** Milliseconds. News of one's own cases arrive by the session as well. */
const EVERY = 60_000;

const sections = ['inHand', 'onHold', 'reserved', 'signed'] as const;
type SectionName = (typeof sections)[number];

const sectionOf = ({ status }: CaseSummary): SectionName | undefined => {
  if (status === 'in_review') return 'inHand';
  if (status === 'on_hold') return 'onHold';
  if (status === 'queued') return 'reserved';
  return status === 'answered' ? 'signed' : undefined;
};

/** Where a physician begins: the next case, what is in hand, what waits. */
export function DeskHome() {
  const { title, home: words, keys } = deskTexts.value;
  const mayAudit = useMayAudit();
  const profile = useMyProfile();
  const { value, failure, again } = useRead(
    ['desk', 'mine'],
    (signal) =>
      searchCases(
        {
          scope: 'mine',
          status: ['in_review', 'on_hold', 'queued', 'answered'],
          sort: 'updated_at:desc',
          limit: 50,
        },
        signal,
      ),
    { every: EVERY },
  );
  const list = () => document.getElementById('mine');
  useKeys([
    { press: 'j', label: keys.down, run: () => moveInList(list(), 1) },
    { press: 'k', label: keys.up, run: () => moveInList(list(), -1) },
  ]);
  const cases = Map.groupBy(value?.items ?? [], sectionOf);
  const shown = sections.filter((name) => cases.has(name));
  return (
    <div class="desk-home">
      <section>
        <PageTitle about="desk">{title}</PageTitle>
        {profile.value?.vacation_mode === true && <p class="notice warning">{words.away}</p>}
        <NextCaseButton />
        {mayAudit && <NextCaseButton queue="audit" />}
        <QueueCounts />
      </section>
      <section id="mine">
        {failure !== undefined && <DeskFailure failure={failure} onRetry={again} />}
        {value === undefined && failure === undefined && <Loading />}
        {value !== undefined && !cases.has('inHand') && (
          <>
            <h2>{words.inHand}</h2>
            <p class="small">{words.nothingInHand}</p>
          </>
        )}
        {shown.map((name) => (
          <section key={name} aria-labelledby={`mine-${name}`}>
            <h2 id={`mine-${name}`}>{words[name]}</h2>
            <CaseRows cases={cases.get(name) ?? []} />
          </section>
        ))}
        {value?.next_cursor != null && <Link to="/search?scope=mine">{words.all}</Link>}
      </section>
    </div>
  );
}
