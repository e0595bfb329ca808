import { z } from 'zod';
import { listCases } from '../../../../domain/cases/patient/list-cases.ts';
import { CaseView, ListedCase } from '../../../../domain/cases/record/mobile-case.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { PageQuery, pageOf } from '../../../../lib/paging/page.ts';

export const v1MobileListCases = endpoint({
  name: 'v1MobileListCases',
  method: 'GET',
  route: 'api/v1/mobile/cases',
  tag: 'Cases',
  summary: 'List the cases of the caller, newest first',
  description: 'All cases of the account, for any of its profiles, with a cursor of this list.',
  auth: 'any',
  audit: 'none',
  reads: ['lang'],
  sends: ['Content-Language'],
  query: PageQuery.extend({
    patient_uuid: z.uuid().optional().meta({ description: 'Only those for this profile.' }),
    view: CaseView.default('full').meta({
      description:
        'How much each item has: `summary` leaves out `anamnesis`, `images` and `predictions`, which a list does not show, and is ' +
        'quicker and smaller.',
    }),
  }),
  reply: {
    status: 200,
    description: 'At most `limit` cases.',
    body: pageOf(ListedCase, { id: 'MobileCasePage', description: 'A page of cases.' }),
  },
  problems: ['cursor_invalid'],
  async handler({ query: { patient_uuid: patientUuid, ...page }, context, actor }) {
    return await listCases(context, actor, { patientUuid, ...page });
  },
});
