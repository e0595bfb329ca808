import type { CaseDetail } from 'dermagate-client';
import { useEffect, useState } from 'preact/hooks';
import { moveCase, readStaffCase } from '../../gateway/desk-calls.ts';
import type { Failure } from '../../gateway/failure.ts';
import { setRead } from '../../query/use-read.ts';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { useKeys } from '../keys/use-keys.ts';
import { signByButton } from '../parts/sign-by-button.ts';
import { useCaseWork } from '../parts/use-case-work.ts';
import { AnswerFields } from './answer-fields.tsx';
import { useContradictions } from './contradictions.tsx';
import { missingIn, urgentFlags } from './draft.ts';
import { DRAFT_CONFLICT, DraftConflict } from './draft-conflict.tsx';
import type { DraftKeeper } from './draft-keeper.ts';
import { focusPart, useMissing } from './missing-list.tsx';
import { SaveStatus } from './save-state.tsx';
import { signAsShown } from './sign-as-shown.ts';

interface AnswerFormProps {
  shown: CaseDetail;
  keeper: DraftKeeper;
  onSigned: () => void;
  onChanged: (after: CaseDetail) => void;
  /** Reads the case again. */
  again: () => void;
}

/** Each is marked by itself: one key for all would not be seeing them. */
const focusNextFlag = () =>
  document.querySelector<HTMLInputElement>('input[name=acknowledged]:not(:checked)')?.focus();

/** The answer to the case, saved as it is written. */
export function AnswerForm({ shown, keeper, onSigned, onChanged, again }: AnswerFormProps) {
  const { answer: words } = deskTexts.value;
  const draft = keeper.draft.value;
  const state = keeper.state.value;
  const urgent = urgentFlags(shown);
  const [failure, setFailure] = useState<Failure>();
  const [signing, setSigning] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const taking = useCaseWork(shown.uuid);
  const missing = useMissing(missingIn(draft, urgent));
  const contradictions = useContradictions(draft, (patch) => keeper.change(patch));
  useWorkClock(keeper);

  async function sign() {
    setFailure(undefined);
    if (signing) return;
    if (state.kind === 'conflict') {
      document.getElementById(DRAFT_CONFLICT)?.focus();
      return;
    }
    if (!missing.check() || !contradictions.check()) return;
    setSigning(true);
    setChanged(false);
    const place = document.activeElement;
    try {
      const { failure: refused, changed } = await signAsShown(
        shown,
        keeper,
        () => readStaffCase(shown.uuid, new AbortController().signal),
        contradictions.isConfirmed,
      );
      if (contradictions.note(refused)) return;
      setFailure(refused);
      if (changed !== undefined) {
        setChanged(true);
        return setRead(['case', shown.uuid], changed);
      }
      // What blocks the signature may be something that this page does not show yet.
      if (refused === undefined) return;
      again();
      // What is inert loses the focus.
      if (place instanceof HTMLElement) requestAnimationFrame(() => place.focus());
    } finally {
      setSigning(false);
    }
  }
  const isSigned = state.kind === 'signed';
  useEffect(() => {
    if (isSigned) onSigned();
  }, [isSigned]);
  const change = keeper.change.bind(keeper);
  useKeys([
    { press: 'd', label: words.keys.diagnosis, run: () => focusPart('answer-diagnosis') },
    { press: 'f', label: words.keys.flags, run: focusNextFlag },
    { press: 'y', label: words.keys.photosGood, run: () => change({ image_quality_ok: true }) },
    { press: 'x', label: words.keys.photosPoor, run: () => change({ image_quality_ok: false }) },
    { press: 'a', label: words.keys.action, run: () => focusPart('answer-action') },
    { press: 'e', label: words.keys.recommendation, run: () => focusPart('answer-recommendation') },
    { press: 'm', label: words.keys.message, run: () => focusPart('answer-message') },
    { press: 't', label: words.keys.template, run: () => focusPart('answer-template') },
    { press: '$mod+Enter', label: words.keys.sign, inFields: true, run: () => void sign() },
  ]);
  const isLost =
    state.kind === 'lost' && ['lease_lost', 'case_state_conflict'].includes(state.failure.reason ?? '');
  useEffect(() => {
    // Who has it now, and whether it can be taken again.
    if (isLost) again();
  }, [isLost]);
  return (
    <form
      class="answer-form"
      onKeyDown={signByButton}
      onSubmit={(event) => {
        event.preventDefault();
        void sign();
      }}
    >
      <SaveStatus keeper={keeper} />
      {isLost && shown.allowed_actions.includes('claim') && (
        <button
          type="button"
          aria-busy={taking.busy}
          onClick={() =>
            void taking.run(
              () => moveCase('claim', shown),
              (after) => {
                onChanged(after);
                void keeper.flush();
              },
            )
          }
        >
          {words.takeAgain}
        </button>
      )}
      {taking.failure !== undefined && <DeskFailure failure={taking.failure} />}
      {state.kind === 'conflict' && <DraftConflict keeper={keeper} theirs={state.theirs} />}
      <div inert={keeper.isSigning.value}>
        <AnswerFields caseUuid={shown.uuid} draft={draft} change={change} />
      </div>
      {missing.list}
      {contradictions.list}
      {isChanged && (
        <p class="notice warning" role="alert">
          {words.caseChanged}
        </p>
      )}
      {failure !== undefined && <DeskFailure failure={failure} />}
      <button type="submit" class="sign" aria-busy={signing} title={`${words.keys.sign} (Ctrl+Enter)`}>
        {signing ? words.signing : words.sign}
      </button>
    </form>
  );
}

/** Counts the seconds during which the page is seen. */
function useWorkClock(keeper: DraftKeeper): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') keeper.tick();
    }, 1000);
    return () => clearInterval(timer);
  }, [keeper]);
}
