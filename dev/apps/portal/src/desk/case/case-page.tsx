import type { CaseDetail, Prediction, User } from 'dermagate-client';
import { useEffect, useState } from 'preact/hooks';
import { findDiseases, readStaffCase } from '../../gateway/desk-calls.ts';
import { readAgain, setRead, useRead } from '../../query/use-read.ts';
import { go, path } from '../../session/route.ts';
import { Loading } from '../../ui/loading.tsx';
import { useWhileShown } from '../../ui/use-while-shown.ts';
import { Anamnesis } from '../anamnesis/anamnesis.tsx';
import { AnswerPanel } from '../answer/answer-panel.tsx';
import { statementOf, withDiagnosis } from '../answer/draft.ts';
import type { DraftKeeper } from '../answer/draft-keeper.ts';
import { forgetKeeper, forgetSaved, hasUnsaved, isUnsettled, keeperOf } from '../answer/keepers.ts';
import { audits } from '../audit/audit-entries.ts';
import { AuditForm, AuditSigned } from '../audit/audit-form.tsx';
import { DeskFailure } from '../parts/desk-failure.tsx';
import { useMayAudit, useMyProfile } from '../parts/my-profile.ts';
import { CasePhotos } from '../photos/case-photos.tsx';
import { CaseActions } from './actions.tsx';
import { AiFindings } from './ai-findings.tsx';
import { Batch } from './batch.tsx';
import { CaseHead } from './case-head.tsx';
import { useRenewal } from '../parts/lease.tsx';
import { Messages } from './messages.tsx';
import { PatientHistory } from './patient-history.tsx';
import { RedFlags } from './red-flags.tsx';
import { UnseenCase } from './unseen-case.tsx';

export function CasePage({ uuid, user }: { uuid: string; user: User }) {
  const { value, failure, again } = useRead(['case', uuid], (signal) => readStaffCase(uuid, signal));
  if (value === undefined) {
    return failure === undefined ? <Loading /> : <UnseenCase uuid={uuid} failure={failure} again={again} />;
  }
  // A colleague has it, or it no longer waits in a lane of the reader: what was read stays to be read.
  const isGone = failure?.reason === 'case_not_found';
  return (
    <>
      {isGone && <UnseenCase uuid={uuid} failure={failure} again={again} wasSeen />}
      {failure !== undefined && !isGone && <DeskFailure failure={failure} onRetry={again} />}
      <ShownCase key={uuid} shown={isGone ? withoutActions(value) : value} user={user} again={again} />
    </>
  );
}

const withoutActions = (read: CaseDetail): CaseDetail => ({
  ...read,
  allowed_actions: [],
  lease_expires_at: null,
});

interface ShownCaseProps {
  shown: CaseDetail;
  user: User;
  again: () => void;
}

function ShownCase({ shown, user, again }: ShownCaseProps) {
  const { uuid } = shown;
  const [signedHere, setSignedHere] = useState<'answer' | 'audit'>();
  const mayAudit = useMayAudit() && user.role === 'physician';
  const me = useMyProfile().value?.uuid;
  // An expired lease does not close the form: its entries stay, and can be saved once the case is taken again.
  const [wasInHand, setInHand] = useState(false);
  const inHand = shown.allowed_actions.includes('annotate');
  // Until it is read again, the case looks as if it were still to be answered.
  const [isAnswered, setAnswered] = useState(false);
  const isOpen = ['queued', 'in_review'].includes(shown.status);
  const isAnswering = inHand || (wasInHand && isOpen) || isUnsettled(uuid);
  const keeper = !isAnswered && isAnswering ? keeperOf(shown) : undefined;
  useRenewal(shown, again);
  useEffect(() => {
    if (inHand) setInHand(true);
    else setAnswered(false);
    if (!inHand && !isOpen) forgetSaved(uuid);
  }, [inHand, isOpen]);
  useEffect(() => {
    // Taken again, or signed in again: what could not be saved meanwhile is saved now.
    if (inHand && keeper?.state.peek().kind === 'lost') void keeper.flush();
  }, [inHand, keeper]);
  useLeaving(keeper);
  const onChanged = (after: CaseDetail) => {
    if (after.status !== shown.status && after.status !== 'in_review') forgetKeeper(uuid);
    if (shown.status === 'answered') forgetKeeper(uuid);
    setSignedHere(undefined);
    setAnswered(false);
    setRead(['case', uuid], after);
    readAgain(['desk']);
  };
  const onSigned = (kind: 'answer' | 'audit') => {
    forgetKeeper(uuid);
    setInHand(false);
    setAnswered(kind === 'answer');
    setSignedHere(kind);
    readAgain(['desk']);
    again();
  };
  const answeredByMe = shown.annotations.some(
    (each) => each.kind === 'dermatologist' && each.status === 'final' && each.author?.uuid === me,
  );
  // Another auditor may have been faster: what was entered here stays until it is signed or discarded.
  const isEnteredHere = audits.of(uuid) !== undefined;
  const showsAudit = mayAudit && !answeredByMe && (shown.audit_state === 'pending' || isEnteredHere);
  const acknowledged = keeper?.draft.value.acknowledged_flags;
  return (
    <div class="case">
      <CaseHead shown={shown} />
      {shown.batch_uuid !== null && <Batch uuid={shown.batch_uuid} shown={shown} />}
      <CaseActions
        shown={shown}
        before={async () => {
          await keeper?.flush();
          return keeper === undefined || !keeper.isUnsaved;
        }}
        onChanged={onChanged}
        onGone={() => {
          forgetKeeper(uuid);
          readAgain(['case', uuid]);
          readAgain(['desk']);
          if (path.value === `/cases/${uuid}`) go('/');
        }}
      />
      <div class="case-main">
        <CasePhotos shown={shown} />
        <RedFlags
          shown={shown}
          acknowledged={acknowledged}
          isFixed={keeper?.isSigning.value === true}
          onChange={(flags) => keeper?.change({ acknowledged_flags: flags })}
        />
        <Anamnesis anamnesis={shown.anamnesis} />
        <AiFindings shown={shown} onUse={keeper && ((prediction) => void takeOver(keeper, prediction))} />
        <PatientHistory shown={shown} />
        <Messages shown={shown} />
      </div>
      <div class="case-answer">
        <AnswerPanel
          shown={shown}
          keeper={keeper}
          isNew={signedHere === 'answer'}
          onSigned={() => onSigned('answer')}
          onChanged={onChanged}
          again={again}
        />
        {signedHere === 'audit' && <AuditSigned />}
        {showsAudit && signedHere !== 'audit' && (
          <AuditForm shown={shown} onSigned={() => onSigned('audit')} again={again} />
        )}
      </div>
    </div>
  );
}

async function takeOver(keeper: DraftKeeper, finding: Prediction): Promise<void> {
  const found = await findDiseases(finding.disease, new AbortController().signal);
  const stated = statementOf(finding, found.ok ? found.value.items : undefined);
  keeper.change((draft) => withDiagnosis(draft, stated));
}

/** Saves when the page is left within the portal, and asks before the tab closes on something unsaved. */
function useLeaving(keeper: DraftKeeper | undefined): void {
  useWhileShown(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => {
      removeEventListener('beforeunload', ask);
      if (keeper?.state.peek().kind === 'dirty') void keeper.flush();
    };
  }, [keeper]);
}
