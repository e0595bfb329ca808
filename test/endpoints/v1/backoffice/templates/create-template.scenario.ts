import { v1BackofficeCreateTemplate } from '../../../../../src/functions/v1/backoffice/templates/create-template.ts';
import { scenario } from '../../../scenario.ts';
import { mark, plain, post } from '../../../access/rows.ts';

const draft = (scope: string) => ({
  kind: 'diagnosis_text',
  scope,
  name: mark(),
  bodies: { en: 'Text.' },
});

/** The name is taken once, and a retry has the same one: a newcomer's address is of this request alone. */
const after = { guest: { operation: 'getMe', as: 'newcomer' as const } };
const own = {
  kind: 'diagnosis_text',
  scope: 'physician',
  name: 'Eczema, {{guest.response.body.user.email}}',
};
const en =
  'You have {{ diagnosis.name }} ({{ diagnosis.code }}).\n\n{% for t in treatments %}\n- {{ t.name }}\n{% endfor %}';

export const createTemplateScenario = scenario({
  endpoint: v1BackofficeCreateTemplate,
  as: 'physician',
  good: {
    own: {
      title: 'My own, in two languages',
      after,
      json: { ...own, disease_id: 1, bodies: { en, es: 'Usted tiene {{ diagnosis.name }}.' } },
    },
    clinic: {
      title: 'One of the clinic, for any disease',
      as: 'admin',
      json: { ...own, scope: 'tenant', name: 'Letter-{{$timestamp}}', bodies: { en }, is_default: true },
    },
  },
  mistakes: {
    bodies: {
      title: 'No body',
      code: 'validation_error',
      pointers: ['/bodies'],
      json: { ...own, name: 'Eczema', bodies: {} },
    },
    tag: {
      title: 'A tag that is not supported',
      code: 'template_invalid',
      pointers: ['/bodies/en'],
      json: { ...own, name: 'Eczema', bodies: { en: 'Hello\n{% include "other" %}' } },
    },
    placeholder: {
      title: 'A placeholder that does not exist',
      code: 'template_placeholder_unknown',
      pointers: ['/bodies/en'],
      json: { ...own, name: 'Eczema', bodies: { en: 'Dear {{ patient.nickname }}' } },
    },
  },
  refusals: {
    capability: {
      title: 'One of the clinic, without the capability',
      code: 'capability_required',
      json: { ...own, name: 'Eczema', scope: 'tenant', bodies: { en } },
    },
    profile: {
      title: 'One’s own, by an admin who is no physician',
      code: 'physician_profile_required',
      as: 'admin',
      json: { ...own, name: 'Eczema', bodies: { en } },
    },
    disease: {
      title: 'A disease that does not exist',
      code: 'disease_not_found',
      json: { ...own, name: 'Eczema', disease_id: 999_999, bodies: { en } },
    },
    reused: {
      title: 'The key of a request with other content',
      code: 'idempotency_key_reused',
      after: {
        ...after,
        first: {
          operation: 'v1BackofficeCreateTemplate',
          headers: { 'idempotency-key': 'once-{{guest.response.body.user.uuid}}' },
          json: { ...own, name: 'Once-{{$timestamp}}', bodies: { en } },
        },
      },
      headers: { 'idempotency-key': 'once-{{guest.response.body.user.uuid}}' },
      json: { ...own, name: 'Twice', bodies: { en } },
    },
    taken: {
      title: 'A name that is in use',
      code: 'name_taken',
      after: { first: 'v1BackofficeCreateTemplate' },
      json: { ...own, name: '{{first.response.body.name}}', bodies: { en } },
    },
  },
  access: {
    own: {
      ...plain(() => post('templates', draft('physician'))),
      cells: '401 403 201 profile 201 201 201 201 201 profile',
    },
    'of the clinic': {
      ...plain(() => post('templates', draft('tenant'))),
      cells: '401 403 capability 201 capability capability capability 201 capability 201',
    },
  },
});
