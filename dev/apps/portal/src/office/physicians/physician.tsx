import type { PhysicianDetails } from 'dermagate-client';
import { listPhysicians } from '../../gateway/office-calls.ts';
import type { Outcome } from '../../gateway/attempt.ts';
import { number } from '../../i18n/format.ts';
import { readAgain, setRead, useRead } from '../../query/use-read.ts';
import { Moment } from '../../staff/moment.tsx';
import { staffTexts } from '../../staff/i18n/texts.ts';
import { StaffFailure } from '../../staff/staff-failure.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { GroupLinks } from '../parts/group-links.tsx';
import { officeTexts } from '../i18n/texts.ts';
import { PhysicianForm } from './physician-form.tsx';
import { PhysicianState } from './physician-state.tsx';
import { Vacation } from './vacation.tsx';

/** One physician; a list of one, because the gateway reads physicians by list only. */
async function readPhysician(uuid: string, signal?: AbortSignal): Promise<Outcome<PhysicianDetails>> {
  const found = await listPhysicians({ uuids: [uuid] }, signal);
  if (!found.ok) return found;
  const [physician] = found.value.items;
  if (physician !== undefined) return { ok: true, value: physician };
  return { ok: false, failure: { code: 'not_found', reason: 'physician_not_found', fields: {} } };
}

/** One physician: load, lanes, what only admins decide, vacation. */
export function PhysicianPage({ uuid }: { uuid: string }) {
  const { physicians } = officeTexts.value;
  const key = ['physician', uuid];
  const { value, failure, again } = useRead(key, (signal) => readPhysician(uuid, signal), {
    survivesLanguage: true,
  });
  const changed = (now: PhysicianDetails) => {
    setRead(key, now);
    readAgain(['physicians']);
  };
  return (
    <>
      <p class="trail">
        <Link to="/physicians">{physicians.title}</Link>
      </p>
      <div class="staff-head">
        <PageTitle about={uuid}>
          <bdi>{value?.display_name ?? physicians.physician}</bdi>
        </PageTitle>
      </div>
      {failure !== undefined && <StaffFailure failure={failure} onRetry={again} />}
      {value === undefined && failure === undefined && <Loading />}
      {value !== undefined && (
        <div class="halves">
          <section class="panel" aria-labelledby="settings">
            <h2 id="settings">{physicians.settings}</h2>
            <PhysicianForm key={uuid} physician={value} read={() => readPhysician(uuid)} onSaved={changed} />
          </section>
          <div>
            <section class="panel" aria-labelledby="facts">
              <h2 id="facts">{officeTexts.value.accounts.facts}</h2>
              <PhysicianFacts physician={value} />
            </section>
            <section class="panel" aria-labelledby="vacation">
              <h2 id="vacation">{physicians.vacation}</h2>
              <Vacation physician={value} onChanged={() => readAgain(key)} />
            </section>
          </div>
        </div>
      )}
    </>
  );
}

function PhysicianFacts({ physician }: { physician: PhysicianDetails }) {
  const { accounts, physicians } = officeTexts.value;
  const { load, groups = [] } = physician;
  return (
    <dl class="facts">
      <dt>{accounts.state}</dt>
      <dd>
        <PhysicianState physician={physician} />
      </dd>
      <dt>{accounts.account}</dt>
      <dd>
        <Link to={`/users/${physician.user_uuid}`}>
          <bdi>{physician.email}</bdi>
        </Link>
      </dd>
      <dt>{physicians.employeeId}</dt>
      <dd>{physician.employee_id ?? staffTexts.value.none}</dd>
      <dt>{accounts.groups}</dt>
      <dd>
        <GroupLinks groups={groups} />
      </dd>
      <dt>{physicians.openCases}</dt>
      <dd>{number(load.open)}</dd>
      <dt>{physicians.reserved}</dt>
      <dd>{number(load.reserved)}</dd>
      <dt>{physicians.answered}</dt>
      <dd>{number(load.answered_7d)}</dd>
      <dt>{physicians.lastActive}</dt>
      <dd>
        <Moment at={physician.last_active_at} />
      </dd>
    </dl>
  );
}
