// Answers of physicians, as scenarios send them, and as what comes before a request.
import type { Ask, Earlier } from './scenario.ts';
import { caseInHand, caseParams, demoPhysician } from './staff-cases.ts';

const diagnosis = {
  disease_id: null,
  code: 'L20.9',
  code_system: 'icd10',
  text: 'Atopic eczema',
  certainty: 'probable',
  is_primary: true,
};

/** The beginning of an answer. */
export const draftAnswer = {
  kind: 'dermatologist',
  diagnoses: [diagnosis],
  internal_note: 'Ask about pets.',
};

/** A whole answer, in English. */
export const wholeAnswer = {
  ...draftAnswer,
  language: 'en',
  severity: 'mild',
  recommended_action: 'routine_physician_review',
  recommendation_text: 'See your family doctor if it is not better in two weeks.',
  treatments: [
    {
      name: 'Hydrocortisone cream 1 %',
      route: 'on the skin',
      dosage_text: 'A thin layer, twice a day.',
      duration_text: '7 days',
    },
  ],
  follow_up: { in_days: 14, how: 'with new photos' },
  patient_message: 'This looks like eczema. It is not contagious.',
  image_quality_ok: true,
  ai_agreement: 'agree',
};

export const signedAnswer = { ...wholeAnswer, sign: true };

/** A template whose text grows with the square of the diagnoses. */
export const longTemplate = {
  operation: 'v1BackofficeCreateTemplate',
  as: 'physician',
  json: {
    kind: 'diagnosis_text',
    scope: 'physician',
    name: 'Long-{{$timestamp}}',
    bodies: {
      en: `{% for d in diagnoses %}{% for e in diagnoses %}{{ d.name }}${'.'.repeat(1500)}{% endfor %}{% endfor %}`,
    },
  },
} satisfies Earlier;

/** More than an answer may have. */
export const longAnswer = {
  ...signedAnswer,
  diagnoses: [
    diagnosis,
    ...Array.from({ length: 4 }, () => ({
      ...diagnosis,
      text: 'x'.repeat(200),
      certainty: 'excluded',
      is_primary: false,
    })),
  ],
  template_id: '{{#template.response.body.id}}',
};

const written = (json: object): Earlier => ({
  operation: 'v1BackofficeCreateAnnotation',
  as: 'physician',
  ...caseInHand,
  params: caseParams,
  json,
});

export const answerParams = { uuid: '{{answer.response.body.case_uuid}}' };

/** The demo physician’s draft, its case in hand; of version 1. */
export const drafted = { after: { answer: written(draftAnswer) } } satisfies Ask;

/** Signed by the demo physician, and not published yet; of version 2. */
export const signed = { after: { answer: written(signedAnswer) } } satisfies Ask;

const ofAnswer = `WHERE uuid = '{{answer.response.body.uuid}}'`;
const closed = [
  `UPDATE request_records SET status = 'closed', closed_at = now() WHERE uuid = '${answerParams.uuid}'`,
  `UPDATE dermatologist_annotations SET published_at = now() ${ofAnswer}`,
];

/** Its patient can read it. */
export const published = { ...signed, state: closed } satisfies Ask;

const colleague = 'colleague@dermagate.example';

/** The demo physician may audit. */
export const auditor = [
  `INSERT INTO user_groups (uuid, tenant_id, name, settings)
   VALUES (gen_random_uuid(), 1, 'Auditors', '{"capabilities":["case.audit"]}') ON CONFLICT DO NOTHING`,
  `INSERT INTO user_group_members (tenant_id, group_id, user_id)
   SELECT 1, g.id, p.user_id FROM user_groups g, physicians p WHERE g.name = 'Auditors' AND p.id = ${demoPhysician}
   ON CONFLICT DO NOTHING`,
];

/** Published, as if another physician had signed it, before the demo physician as an auditor. */
export const auditable = {
  ...signed,
  state: [
    ...closed,
    ...auditor,
    `INSERT INTO users (uuid, tenant_id, email, password_hash, role)
     VALUES (gen_random_uuid(), 1, '${colleague}', '!', 'physician') ON CONFLICT DO NOTHING`,
    `INSERT INTO physicians (uuid, tenant_id, user_id, language_preference)
     SELECT gen_random_uuid(), 1, id, 'en' FROM users WHERE email = '${colleague}' ON CONFLICT DO NOTHING`,
    `UPDATE dermatologist_annotations SET physician_id =
       (SELECT p.id FROM physicians p JOIN users u ON u.id = p.user_id WHERE u.email = '${colleague}') ${ofAnswer}`,
  ],
} satisfies Ask;

export const draftAudit = { kind: 'audit', agreement: 'minor', comment: 'The dose could be clearer.' };
