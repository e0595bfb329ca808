import type { NextCase } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { takeNextCase } from '../../gateway/desk-calls.ts';
import { duration } from '../../i18n/format.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { readAgain, setRead } from '../../query/use-read.ts';
import { onThisPage } from '../../session/on-this-page.ts';
import { go } from '../../session/route.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { useKeys } from '../keys/use-keys.ts';

/** The one big button: takes the most urgent case and opens it. */
export function NextCaseButton({ queue = 'review' }: { queue?: 'review' | 'audit' }) {
  const { home: words } = deskTexts.value;
  const work = useOnce();
  const [none, setNone] = useState<NextCase>();
  const label = queue === 'review' ? words.next : words.nextAudit;
  const take = () => {
    setNone(undefined);
    // What is typed on another page by then would be keys of the case, which are letters.
    const open = onThisPage((uuid: string) => go(`/cases/${uuid}`));
    void work.run(
      () => takeNextCase({ queue }),
      (next) => {
        readAgain(['desk']);
        if (next.case === null) {
          setNone(next);
          return;
        }
        setRead(['case', next.case.uuid], next.case);
        open(next.case.uuid);
      },
    );
  };
  const press = queue === 'review' ? 'n' : 'b';
  useKeys([{ press, label, run: take }]);
  return (
    <div class="next-case">
      <button
        type="button"
        class={queue === 'review' ? 'large' : 'large secondary outline'}
        aria-busy={work.busy}
        aria-keyshortcuts={press}
        title={`${label} (${press})`}
        onClick={take}
      >
        {work.busy ? words.taking : label}
        <kbd aria-hidden="true">{press}</kbd>
      </button>
      {none !== undefined && (
        <p role="status">
          {queue === 'audit'
            ? words.nothingToAudit
            : fill(words.nothing, { wait: duration(none.retry_after_seconds) })}
        </p>
      )}
      {work.failure !== undefined && <DeskFailure failure={work.failure} onRetry={take} />}
    </div>
  );
}
