import { v1BackofficeUpdatePatient } from '../../../../../src/functions/v1/backoffice/patients/update-patient.ts';
import { scenario } from '../../../scenario.ts';
import { about, nothing, send } from '../../../access/rows.ts';
import type { AccessStage, Thing } from '../../../../support/access-stage.ts';
import { newPatients } from '../../../../support/case-rows.ts';

const newPatient = async ({ app }: AccessStage): Promise<Thing> => {
  const [made] = await newPatients(app, [{ given: 'Somebody' }]);
  return { ...nothing, uuid: made?.uuid ?? '' };
};

const mine = '{{mine.response.body.profiles[0].uuid}}';
const ofNewcomer = {
  after: { mine: { operation: 'v1MobileListProfiles', as: 'newcomer' as const } },
  params: { uuid: mine },
  headers: { 'if-match': '"1"' },
};

export const updatePatientScenario = scenario({
  endpoint: v1BackofficeUpdatePatient,
  as: 'admin',
  good: {
    both: {
      title: 'Sets external id and pool',
      ...ofNewcomer,
      json: { external_id: 'M-{{$timestamp}}', pool: 'hand-clinic' },
    },
    none: { title: 'Removes the pool', ...ofNewcomer, json: { pool: null } },
  },
  mistakes: {
    pool: {
      title: 'A pool whose name is reserved',
      code: 'validation_error',
      pointers: ['/pool'],
      ...ofNewcomer,
      json: { pool: 'physician:7' },
    },
  },
  refusals: {
    taken: {
      title: 'The external id of another patient',
      code: 'external_id_taken',
      after: {
        ...ofNewcomer.after,
        child: {
          operation: 'v1MobileAddOffspring',
          as: 'newcomer',
          json: {
            birth_date: '2019-04-30',
            gender: 'male',
            relation: 'child',
            guardian_confirmed: true,
            external_id: mine,
          },
        },
      },
      params: { uuid: mine },
      headers: { 'if-match': '"1"' },
      json: { external_id: mine },
    },
  },
  access: {
    'a patient': {
      ...about(newPatient, ({ uuid, version }) => send('PATCH', `patients/${uuid}`, { pool: null, version })),
      cells: '401 403 403 404 403 403 403 403 403 200',
    },
  },
});
