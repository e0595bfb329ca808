import { useState } from 'preact/hooks';
import { useProfiles } from '../../account/people/use-profiles.ts';
import { contentOf, fits, mayBeAnother } from '../cases/case-content.ts';
import { takesCases } from '../cases/features.ts';
import { PersonChoice } from '../cases/person-choice.tsx';
import { texts } from '../../i18n/language.ts';
import type { Intake } from '../intake/intake.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { goToQuestionBefore } from '../../session/route.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { draftSaver } from './current-draft.ts';

/** Whether the answers are about another person who is unknown yet: a draft always has a person. */
export function needsPerson(intake: Intake): boolean {
  if (!takesCases.value || intake.case?.held === true || intake.case?.sent === true) return false;
  if (intake.personLater === true) return false;
  const { anamnesis } = contentOf(intake);
  // Of a child the question after the age is who answers: the person comes after it.
  const isReporterAsked = intake.steps.some(({ fieldName }) => fieldName === 'reporter');
  if (!mayBeAnother(anamnesis) || (anamnesis.reporter === undefined && !isReporterAsked)) return false;
  return intake.person === undefined || !fits(intake.person, anamnesis);
}

/**
 * For whom a parent or caregiver answers, between the questions. The safety questions that follow must not depend on it:
 * offline, or while the address is unverified, no person can be added.
 */
export function PersonQuestion({ intake }: { intake: IntakeSession }) {
  const { cases, common, fields, folder } = texts.value;
  const { profiles, failure, again, set } = useProfiles();
  const [chosen, setChosen] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  const { anamnesis } = contentOf(intake.intake.value);
  const go = () => {
    const person = profiles?.find(({ uuid }) => uuid === chosen);
    if (person === undefined) return setMissing(true);
    intake.apply({ type: 'person-chosen', person: { uuid: person.uuid, relation: person.relation } });
    void draftSaver.value?.flush();
  };
  return (
    <div class="person-question">
      <PageTitle about="person">{cases.who}</PageTitle>
      <p class="help">{folder.personLead}</p>
      {profiles === undefined && failure === undefined && <Loading />}
      {failure !== undefined && <FailureNotice failure={failure} onRetry={again} />}
      {profiles !== undefined && (
        <PersonChoice
          profiles={profiles}
          anamnesis={anamnesis}
          chosen={chosen}
          onChoose={setChosen}
          onProfiles={set}
          opensAdding
        />
      )}
      {isMissing && chosen === undefined && (
        <p class="field-error" role="alert">
          {fields.required}
        </p>
      )}
      <div class="actions">
        <button type="button" class="secondary outline" onClick={goToQuestionBefore}>
          {common.back}
        </button>
        <button
          type="button"
          class="secondary outline"
          onClick={() => intake.apply({ type: 'person-postponed' })}
        >
          {folder.goOnUnsaved}
        </button>
        <button type="button" onClick={go}>
          {folder.goOnHere}
        </button>
      </div>
    </div>
  );
}
