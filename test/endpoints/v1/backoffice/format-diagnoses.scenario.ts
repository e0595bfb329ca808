import { v1BackofficeFormatDiagnoses } from '../../../../src/functions/v1/backoffice/format-diagnoses.ts';
import { unknownId } from '../../people.ts';
import { scenario } from '../../scenario.ts';
import { caseInHand } from '../../staff-cases.ts';
import { templateOf } from '../../access/desk-rows.ts';
import { about, plain, post } from '../../access/rows.ts';
import { wholeAnswer } from '../../../support/answers.ts';

const format = (given: object) =>
  post('format-diagnoses', { diagnoses: wholeAnswer.diagnoses, lang: 'en', ...given });

const eczema = {
  disease_id: 1,
  code: 'atopic_dermatitis',
  code_system: 'dermagate',
  text: 'Atopic eczema',
  certainty: 'probable',
  is_primary: true,
};
const scabies = {
  disease_id: null,
  code: 'B86',
  code_system: 'icd10',
  text: 'Scabies',
  certainty: 'excluded',
  is_primary: false,
};
const template = {
  operation: 'v1BackofficeCreateTemplate',
  json: {
    kind: 'diagnosis_text',
    scope: 'physician',
    name: 'Letter-{{$timestamp}}',
    bodies: { en: 'Dear {{ patient.display_name }},\n\n{{ diagnoses | list }}.' },
  },
};

export const formatDiagnosesScenario = scenario({
  endpoint: v1BackofficeFormatDiagnoses,
  as: 'physician',
  good: {
    hebrew: { title: 'For a patient, in Hebrew', json: { diagnoses: [eczema, scabies], lang: 'he' } },
    clinical: {
      title: 'For a clinician',
      json: { diagnoses: [eczema, scabies], lang: 'en', tone: 'clinical' },
    },
    template: {
      title: 'By a template, without a case',
      after: { template },
      json: { diagnoses: [eczema], lang: 'en', template_id: '{{#template.response.body.id}}' },
    },
    of_case: {
      title: 'By a template, for a case',
      ...caseInHand,
      after: { ...caseInHand.after, template },
      json: {
        case_uuid: '{{case.response.body.uuid}}',
        diagnoses: [eczema],
        lang: 'en',
        template_id: '{{#template.response.body.id}}',
      },
    },
  },
  mistakes: {
    primary: {
      title: 'No primary diagnosis',
      code: 'validation_error',
      pointers: ['/diagnoses'],
      json: { diagnoses: [scabies], lang: 'en' },
    },
    disease: {
      title: 'A disease that does not exist',
      code: 'disease_unknown',
      pointers: ['/diagnoses/0/disease_id'],
      json: { diagnoses: [{ ...eczema, disease_id: 999_999 }], lang: 'en' },
    },
  },
  refusals: {
    case: {
      title: 'A case that does not exist',
      code: 'case_not_found',
      json: { case_uuid: unknownId, diagnoses: [eczema], lang: 'en' },
    },
    template: {
      title: 'A language that the template does not have',
      code: 'template_not_found',
      after: { template },
      json: { diagnoses: [eczema], lang: 'ar', template_id: '{{#template.response.body.id}}' },
    },
    long: {
      title: 'A text that becomes too long',
      code: 'template_invalid',
      after: {
        template: {
          ...template,
          json: {
            ...template.json,
            bodies: {
              en: `{% for d in diagnoses %}{% for e in diagnoses %}{{ d.name }}${'.'.repeat(1500)}{% endfor %}{% endfor %}`,
            },
          },
        },
      },
      json: {
        diagnoses: [eczema, ...Array.from({ length: 4 }, () => ({ ...scabies, text: 'x'.repeat(200) }))],
        lang: 'en',
        template_id: '{{#template.response.body.id}}',
      },
    },
  },
  access: {
    'of no case': { ...plain(() => format({})), cells: '401 403 200 200 200 200 200 200 200 200' },
    'in hand': {
      circumstance: 'inHand',
      ask: ({ uuid }) => format({ case_uuid: uuid }),
      cells: '401 403 404 404 200 200 404 404 404 200',
    },
    'by a template of the holder': {
      ...about(templateOf('holder'), ({ name }) => format({ template_id: Number(name) })),
      cells:
        '401 403 template_not_found template_not_found 200 template_not_found template_not_found template_not_found template_not_found template_not_found',
    },
  },
});
