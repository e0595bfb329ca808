import { v1MobileSendEmail } from '../../../../src/functions/v1/mobile/send-email.ts';
import { closedCase, verified } from '../../answered-cases.ts';
import { unknownId } from '../../people.ts';
import { scenario } from '../../scenario.ts';
import { queuedCase } from '../../staff-cases.ts';

const uuid = '{{case.response.body.uuid}}';
const link = { template: 'case_answer_link', case_uuid: uuid };
const request = { template: 'support_request', message: 'The app does not open my photos.' };

const supportAddress = (value: string) => `
  INSERT INTO application_parameters (tenant_id, branch, sub_branch, key, value, visibility)
  SELECT id, 'mobile', 'app', 'support_email', '${value}', 'public' FROM tenants WHERE slug = 'default'
  ON CONFLICT ON CONSTRAINT application_parameters_once DO UPDATE SET value = excluded.value`;

export const sendEmailScenario = scenario({
  endpoint: v1MobileSendEmail,
  as: 'newcomer',
  good: {
    link: {
      title: 'The link to my answer',
      ...closedCase,
      state: [...closedCase.state, verified],
      json: link,
    },
    support: {
      title: 'A question to the clinic’s support',
      ...queuedCase,
      state: [verified, supportAddress('"help@clinic.example"')],
      json: { ...request, case_uuid: uuid },
    },
  },
  mistakes: {
    recipient: {
      title: 'A recipient, which nobody chooses',
      code: 'validation_error',
      pointers: ['/to'],
      json: { ...request, to: 'alice@example.org' },
    },
  },
  refusals: {
    unverified: { title: 'From an address that is not verified', code: 'email_unverified', json: request },
    unknown: {
      title: 'A case that does not exist',
      code: 'case_not_found',
      ...queuedCase,
      state: [verified],
      json: { ...link, case_uuid: unknownId },
    },
    unanswered: {
      title: 'A case without an answer',
      code: 'nothing_to_publish',
      ...queuedCase,
      state: [verified],
      json: link,
    },
    no_support: {
      title: 'A clinic without a support address',
      code: 'no_channel',
      ...queuedCase,
      state: [verified, supportAddress('null')],
      json: request,
    },
  },
});
