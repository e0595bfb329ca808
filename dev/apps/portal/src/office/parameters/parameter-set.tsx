import type { OfficeParameters } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import { readParameterSet } from '../../gateway/office-calls.ts';
import { readAgain, setRead, useRead } from '../../query/use-read.ts';
import { Moment } from '../../staff/moment.tsx';
import { StaffFailure } from '../../staff/staff-failure.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { officeTexts } from '../i18n/texts.ts';
import { JsonForm } from './json-form.tsx';
import { setName } from './names.ts';
import { SchemaForm } from './schema-form.tsx';
import type { JsonSchema } from './value-kind.ts';

interface ParameterSetPageProps {
  branch: string;
  subBranch: string;
}

/** An unused name: the first save creates it. */
const unused = (branch: string, subBranch: string): OfficeParameters => ({
  branch,
  sub_branch: subBranch,
  version: 1,
  visibility: 'internal',
  values: {},
  defaults: {},
  ignored: [],
  value_schema: null,
  updated_at: null,
  updated_by: null,
});

async function readSet(
  branch: string,
  subBranch: string,
  signal?: AbortSignal,
): Promise<Outcome<OfficeParameters>> {
  const found = await readParameterSet(branch, subBranch, signal);
  const isUnused = !found.ok && found.failure.reason === 'parameters_not_found';
  return isUnused ? { ok: true, value: unused(branch, subBranch) } : found;
}

/** The parameters of one name: a form by their schema, or JSON where there is none. */
export function ParameterSetPage({ branch, subBranch }: ParameterSetPageProps) {
  const { parameters } = officeTexts.value;
  const code = `${branch}/${subBranch}`;
  const key = ['parameter-set', branch, subBranch];
  const { value, failure, again } = useRead(key, (signal) => readSet(branch, subBranch, signal), {
    survivesLanguage: true,
  });
  const shared = {
    read: () => readSet(branch, subBranch),
    onSaved: (now: OfficeParameters) => {
      setRead(key, now);
      readAgain(['parameters']);
    },
  };
  const schema = value?.value_schema as JsonSchema | null | undefined;
  return (
    <>
      <p class="trail">
        <Link to="/parameters">{parameters.title}</Link>
      </p>
      <div class="staff-head">
        <PageTitle about={code}>{setName(branch, subBranch) ?? code}</PageTitle>
        <code dir="ltr">{code}</code>
      </div>
      {failure !== undefined && <StaffFailure failure={failure} onRetry={again} />}
      {value === undefined && failure === undefined && <Loading />}
      {value !== undefined && (
        <>
          <Facts set={value} />
          <section class="panel">
            {schema?.properties === undefined ? (
              <JsonForm key={code} set={value} {...shared} />
            ) : (
              <SchemaForm key={code} set={value} schema={schema} {...shared} />
            )}
          </section>
        </>
      )}
    </>
  );
}

function Facts({ set }: { set: OfficeParameters }) {
  const { parameters } = officeTexts.value;
  return (
    <p class="small">
      {parameters.visibility}: {parameters.visibilities[set.visibility]} · {parameters.changed}:{' '}
      <Moment at={set.updated_at} />
      {set.updated_by !== null && (
        <>
          {' · '}
          <Link to={`/users/${set.updated_by}`}>{parameters.changedBy}</Link>
        </>
      )}
    </p>
  );
}
