import type { OfficeParameters } from 'dermagate-client';
import { useState } from 'preact/hooks';
import { listParameters } from '../../gateway/office-calls.ts';
import { number } from '../../i18n/format.ts';
import { useRead } from '../../query/use-read.ts';
import { go, listCursor } from '../../session/route.ts';
import { Field } from '../../staff/field.tsx';
import { ListContent } from '../../staff/list-content.tsx';
import { Moment } from '../../staff/moment.tsx';
import type { Column } from '../../staff/staff-table.tsx';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { officeTexts } from '../i18n/texts.ts';
import { setName } from './names.ts';

/** All parameters of the tenant by name, and the way to a name that only clients use. */
export function ParametersPage() {
  const { parameters } = officeTexts.value;
  const cursor = listCursor.value;
  const read = useRead(['parameters', cursor], (signal) => listParameters(cursor, signal));
  return (
    <>
      <div class="staff-head">
        <PageTitle about="parameters">{parameters.title}</PageTitle>
      </div>
      <p class="lead">{parameters.lead}</p>
      <ListContent
        read={read}
        caption={parameters.title}
        columns={columns()}
        rowKey={({ branch, sub_branch: sub }) => `${branch}/${sub}`}
      />
      <section class="panel" aria-labelledby="other-name">
        <h2 id="other-name">{parameters.otherName}</h2>
        <OtherName />
      </section>
    </>
  );
}

function columns(): Column<OfficeParameters>[] {
  const { parameters } = officeTexts.value;
  return [
    {
      key: 'name',
      label: parameters.name,
      cell: ({ branch, sub_branch: sub }) => (
        <Link to={`/parameters/${branch}/${sub}`}>{setName(branch, sub) ?? `${branch}/${sub}`}</Link>
      ),
    },
    {
      key: 'code',
      label: parameters.code,
      cell: ({ branch, sub_branch: sub }) => <code dir="ltr">{`${branch}/${sub}`}</code>,
    },
    {
      key: 'own',
      label: parameters.ownValues,
      cell: ({ values, ignored }) => (
        <>
          {number(Object.keys(values).length)}
          {ignored.length > 0 && <span class="badge bad">{parameters.ignored}</span>}
        </>
      ),
      numeric: true,
    },
    {
      key: 'visibility',
      label: parameters.visibility,
      cell: ({ visibility }) => parameters.visibilities[visibility],
    },
    { key: 'changed', label: parameters.changed, cell: ({ updated_at: at }) => <Moment at={at} /> },
  ];
}

const NAME = /^[a-z0-9_-]{1,32}\/[a-z0-9_-]{1,32}$/;

function OtherName() {
  const { parameters } = officeTexts.value;
  const [name, setName] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    setWrong(!NAME.test(name));
    if (NAME.test(name)) go(`/parameters/${name}`);
    else document.getElementById('parameter-name')?.focus();
  };
  return (
    <form class="one-line" noValidate onSubmit={submit}>
      <Field
        id="parameter-name"
        label={parameters.code}
        hint={parameters.otherNameHint}
        error={isWrong ? parameters.wrongName : undefined}
      >
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            dir="ltr"
            autocapitalize="none"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value.trim())}
          />
        )}
      </Field>
      <button type="submit" class="outline">
        {parameters.open}
      </button>
    </form>
  );
}
