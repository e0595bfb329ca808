import type { CaseDetail } from 'dermagate-client';
import { readBatch } from '../../gateway/desk-calls.ts';
import { number } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { go } from '../../session/route.ts';
import { Link } from '../../ui/link.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { useKeys } from '../keys/use-keys.ts';

/** The cases that one patient has sent together, to be answered one after the other. */
export function Batch({ uuid, shown }: { uuid: string; shown: CaseDetail }) {
  const words = deskTexts.value;
  const { value } = useRead(['batch', uuid], (signal) => readBatch(uuid, signal), { keepsPrevious: true });
  const cases = value?.cases ?? [];
  const at = cases.findIndex((each) => each.uuid === shown.uuid);
  const step = (by: 1 | -1) => {
    const next = cases[(at + by + cases.length) % cases.length];
    if (next !== undefined) go(`/cases/${next.uuid}`);
  };
  useKeys(
    cases.length > 1
      ? [
          { press: '[', label: words.case.previous, run: () => step(-1) },
          { press: ']', label: words.case.following, run: () => step(1) },
        ]
      : [],
  );
  if (cases.length < 2) return null;
  return (
    <nav class="batch" aria-label={words.case.batch}>
      <span class="small">
        {words.case.batch}
        {at >= 0 &&
          ` · ${fill(words.case.batchPlace, { place: number(at + 1), count: number(cases.length) })}`}
      </span>
      <ul>
        {cases.map((each) => (
          <li key={each.uuid}>
            <Link to={`/cases/${each.uuid}`} current={each.uuid === shown.uuid}>
              {each.id} <span class="small">{words.status[each.status]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
