import type { PartialAnamnesis } from 'dermagate-client';
import { lazy, Suspense } from 'preact/compat';
import { useMemo } from 'preact/hooks';
import { useProfiles } from '../../account/people/use-profiles.ts';
import { flagsOfCase } from '../cases/advice.tsx';
import { likelyPerson } from '../cases/case-content.ts';
import { useCase } from '../cases/own-cases.ts';
import { texts } from '../../i18n/language.ts';
import { stateOf } from '../intake/intake.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { nameOf, nameOfPatient } from '../sheet/sheet-name.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { LoadBoundary } from '../../ui/load-boundary.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

const DoctorSheet = lazy(() => import('../sheet/doctor-sheet.tsx'));

/** The answers of the intake in this tab, for a doctor. */
export function IntakeSheetPage({ intake }: { intake: IntakeSession }) {
  const { profiles } = useProfiles();
  const now = intake.intake.value;
  const { anamnesis } = stateOf(now);
  const date = useMemo(() => new Date(), [now.steps]);
  const person = likelyPerson(now, profiles ?? []);
  return (
    <Shown
      anamnesis={anamnesis}
      name={person && nameOf(person)}
      ageYears={ageOf(anamnesis)}
      known={now.urgent}
      date={date}
      source={`intake ${JSON.stringify(anamnesis)}`}
      back="/result"
    />
  );
}

/** The answers of a case, for a doctor. */
export function CaseSheetPage({ uuid }: { uuid: string }) {
  const { value: shown, failure, again } = useCase(uuid);
  const { profiles } = useProfiles();
  if (shown === undefined) {
    return (
      <section class="card">
        <PageTitle about="sheet">{texts.value.folder.doctor.title}</PageTitle>
        {failure === undefined ? <Loading /> : <FailureNotice failure={failure} onRetry={again} />}
      </section>
    );
  }
  const { advice, anamnesis, patient, id, version, submitted_at: submitted, updated_at: updated } = shown;
  return (
    <Shown
      anamnesis={anamnesis}
      name={nameOfPatient(patient, profiles ?? [])}
      ageYears={patient.age_years ?? ageOf(anamnesis)}
      known={flagsOfCase(advice)}
      caseNumber={id}
      date={new Date(submitted ?? updated)}
      source={`${uuid} ${version}`}
      back={`/cases/${uuid}`}
    />
  );
}

const Shown = (props: Parameters<typeof DoctorSheet>[0]) => (
  <LoadBoundary>
    <Suspense fallback={<Loading />}>
      <DoctorSheet {...props} />
    </Suspense>
  </LoadBoundary>
);

const ageOf = ({ patient }: PartialAnamnesis): number | undefined => patient?.ageYears;
