import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoPhoto } from '../../dev/tools/intake/record-transcripts.ts';
import { register } from '../support/accounts.ts';
import { anotherInstance } from '../support/another-instance.ts';
import { testApp } from '../support/app.ts';
import { storePhoto } from '../support/stored-images.ts';
import {
  borrowForDiscovery,
  recordAiFailures,
  recordBusyDecoder,
  recordCrowds,
  recordDatabaseFailures,
  recordIdempotency,
  recordIdempotentDiagnosis,
} from './outages.ts';
import { createRecorder } from './recorder.ts';
import { goodRequests, recordGeneralRefusals, recordLimits, recordOwnRefusals } from './refusals.ts';
import { recordAccounts, recordDiscovery, recordEnds, recordImages, recordMedicine } from './successes.ts';

// The examples of the OpenAPI document are what this gateway answers: recorded anew each time, and equal each time.

const file = join(import.meta.dirname, '..', '..', 'src', 'lib', 'openapi', 'examples.json');
const proxied = { TRUSTED_PROXY_HOPS: '2' };
const recorder = createRecorder();
const photo = await demoPhoto();

test('every request gets the reply that the examples show: `npm run examples` records them', async () => {
  await recordFromReferenceAi();
  await recordFromFailures();
  await expect(`${JSON.stringify(recorder.result(), null, 2)}\n`).toMatchFileSnapshot(file);
}, 300_000);

async function recordFromReferenceAi(): Promise<void> {
  const app = await testApp({ ai: 'real', env: proxied });
  const strict = await anotherInstance(app, {
    PUBLIC_AI_ROUTES: 'true',
    SELF_REGISTRATION_ROLES: 'patient',
    REQUIRE_VERIFIED_EMAIL: 'true',
  });
  const people = await recordAccounts(app, recorder);
  const stored = await recordImages(app, recorder, people.patient, photo);
  await recordMedicine(app, recorder, people.patient, stored, photo);
  await recordEnds(app, recorder);
  await recordDiscovery(app, recorder);
  const good = goodRequests(people, stored, photo);
  await recordGeneralRefusals(app, recorder, good, people);
  await recordOwnRefusals(app, strict, recorder, good, people);
  await recordLimits(app, strict, recorder, good);
}

async function recordFromFailures(): Promise<void> {
  const app = await testApp({ env: proxied });
  const [patient, admin] = [await register(app), await register(app, { role: 'admin' })];
  const stored = await storePhoto(app, patient.access_token, photo);
  const good = goodRequests({ patient, physician: patient, admin }, stored, photo);
  await recordAiFailures(app, recorder, good);
  await recordCrowds(app, recorder, good);
  await recordBusyDecoder(recorder, photo);
  await recordIdempotency(app, recorder, good);
  await recordIdempotentDiagnosis(app, recorder, good);
  await recordDatabaseFailures(app, recorder, good);
  borrowForDiscovery(recorder);
}
