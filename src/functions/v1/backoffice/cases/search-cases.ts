import { auditEvents } from '../../../../contract/audit.ts';
import { CaseSummary } from '../../../../domain/cases/record/case-summary.schemas.ts';
import { searchCases } from '../../../../domain/desk/search/search-cases.ts';
import { CaseSearch } from '../../../../domain/desk/search/search.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { pageOf } from '../../../../lib/paging/page.ts';

export const v1BackofficeSearchCases = endpoint({
  name: 'v1BackofficeSearchCases',
  method: 'POST',
  route: 'api/v1/backoffice/cases/search',
  tag: 'Backoffice',
  summary: 'Search the cases that the caller may see',
  description:
    'A POST, so that URLs contain no names. A search is refused if it would take more than two seconds, or if more ' +
    'than 200 patients match the name. Names of patients are omitted while their cases only wait in the queue. The ' +
    'event log records the names of the filters, not their values.',
  auth: 'physician-level',
  audit: auditEvents.caseSearched,
  reads: ['lang'],
  sends: ['Content-Language'],
  body: CaseSearch,
  reply: {
    status: 200,
    description: 'At most `limit` cases.',
    body: pageOf(CaseSummary, { id: 'CaseSummaryPage', description: 'A page of cases as staff see them.' }),
  },
  problems: ['cursor_invalid', 'search_too_broad'],
  async handler({ body, context, actor }) {
    return await searchCases(context, actor, body);
  },
});
