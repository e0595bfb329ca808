import { v7 as uuidv7 } from 'uuid';
import { afterEach, expect, test } from 'vitest';
import { triggerEligibility } from '../../../../src/domain/desk/handling/trigger-eligibility.ts';
import { handleCase } from '../../../../src/domain/desk/handling/handle-case.ts';
import { createThrottleKey } from '../../../../src/lib/auth/throttle-key.ts';
import type { Context } from '../../../../src/lib/app/context.ts';
import { accountActor } from '../../../support/account-actor.ts';
import { caseStage } from '../../../support/case-stage.ts';
import { json, text } from '../../../support/fake-ai.ts';

// The eligibility service is asked again by staff: it answers, refuses or is away.

const stage = await caseStage();
const { service } = stage;
afterEach(() => service.reset());

const [admin] = await stage.rows<{ id: number }>(
  `INSERT INTO users (uuid, tenant_id, email, password_hash, role) VALUES ($1, 1, 'head@example.org', '!', 'admin') RETURNING id`,
  [uuidv7()],
);
const actor = {
  ...accountActor({ id: admin?.id as number, uuid: uuidv7(), tenantId: 1, sessionUuid: uuidv7() }),
  role: 'admin' as const,
};
const contextNow = (): Context => ({ ...stage.contextOf(actor), throttleKey: createThrottleKey('pepper') });

async function trigger(uuid: string) {
  const { version } = await stage.read({ uuid });
  return await triggerEligibility(contextNow(), actor, uuid, {}, version);
}

test('a service that is away changes nothing about a case that is settled; one that answers moves it', async () => {
  await stage.setRule('eligibility/rules/membership', 'service');
  service.on('membership', json({ eligible: false, reason: 'lapsed' }));
  const one = await stage.draft({ externalId: `M-${uuidv7()}` });
  await stage.submit(one);
  const refused = await stage.read(one);
  expect(refused).toMatchObject({ status: 'ineligible', eligibility_reasons: ['not_a_member:lapsed'] });

  service.on('membership', text('down', 503));
  expect(await trigger(one.uuid)).toMatchObject({ outcome: 'undetermined', case: { status: 'ineligible' } });
  expect(await stage.read(one)).toMatchObject({
    eligibility_outcome: 'ineligible',
    eligibility_reasons: refused.eligibility_reasons,
  });
  // A refusal stands, however long the service is away.
  stage.later(90);
  expect(await trigger(one.uuid)).toMatchObject({ outcome: 'undetermined', case: { status: 'ineligible' } });

  service.on('membership', json({ eligible: true }));
  const admitted = await trigger(one.uuid);
  expect(admitted).toMatchObject({ outcome: 'eligible', reasons: [], case: { status: 'queued' } });

  service.on('membership', json({ eligible: false, reason: 'lapsed' }));
  expect(await trigger(one.uuid)).toMatchObject({ outcome: 'ineligible', case: { status: 'ineligible' } });
  expect(await stage.read(one)).toMatchObject({ status: 'ineligible', queued_at: null });
  await stage.setRule('eligibility/rules/membership', 'none');
});

test('a case that was refused for weeks and then lacks something is due from when it is checked again, without the time on hold', async () => {
  await stage.setRule('eligibility/rules/membership', 'external_id');
  const one = await stage.draft();
  await stage.submit(one);
  expect(await stage.read(one)).toMatchObject({ status: 'ineligible' });
  await stage.setRule('eligibility/rules/membership', 'none');
  await stage.rows(`UPDATE request_records SET consent_version = '0' WHERE uuid = $1`, [one.uuid]);
  const day = 24 * 60;
  stage.later(20 * day);
  const checkedAt = stage.clock.now();
  expect(await trigger(one.uuid)).toMatchObject({ outcome: 'needs_patient', case: { status: 'on_hold' } });
  stage.later(2 * day);
  await stage.submit(one);
  const queued = await stage.read(one);
  expect(queued).toMatchObject({ status: 'queued', triage_level: 'routine' });
  const hours = ((queued.due_at?.getTime() ?? 0) - checkedAt.getTime()) / 3_600_000;
  // Five days of the level, and two on hold.
  expect(Math.round(hours)).toBe(7 * 24);
});

test('a reserved case that is refused and accepted again waits in its lane, and not until the end of the reservation', async () => {
  const one = await stage.draft();
  await stage.submit(one);
  await stage.rows(
    `UPDATE request_records SET lane_pool = 'physician:1', lane_language = 'any', lane_until = $2 WHERE uuid = $1`,
    [one.uuid, new Date(stage.clock.now().getTime() + 86_400_000)],
  );
  await stage.setRule('eligibility/rules/membership', 'external_id');
  expect(await trigger(one.uuid)).toMatchObject({ case: { status: 'ineligible' } });
  await stage.setRule('eligibility/rules/membership', 'none');
  expect(await trigger(one.uuid)).toMatchObject({ case: { status: 'queued' } });
  expect(await stage.read(one)).toMatchObject({
    lane_pool: 'general',
    lane_language: 'en',
    lane_until: null,
  });
});

test('what a queued case is found to lack is asked of its patient, by a message, once', async () => {
  const one = await stage.draft();
  await stage.submit(one);
  expect(await stage.read(one)).toMatchObject({ status: 'queued', eligibility_reasons: [] });
  // The clinic has another text of consent since.
  await stage.rows(`UPDATE request_records SET notified_at = now(), consent_version = '0' WHERE uuid = $1`, [
    one.uuid,
  ]);
  const asked = async () => ({
    messages: await stage.rows<{ codes: string[] }>(
      `SELECT codes FROM case_messages WHERE case_uuid = $1 AND direction = 'to_patient'`,
      [one.uuid],
    ),
    news: (
      await stage.rows(
        `SELECT FROM outbox_messages WHERE payload ->> 'kind' = 'patient_asked' AND payload ->> 'case_uuid' = $1`,
        [one.uuid],
      )
    ).length,
  });
  for (let count = 0; count < 2; count += 1) {
    expect(await trigger(one.uuid)).toMatchObject({ outcome: 'needs_patient', case: { status: 'queued' } });
    expect(await asked()).toEqual({ messages: [{ codes: ['consent_outdated'] }], news: 2 });
  }
  expect(await stage.read(one)).toMatchObject({ notified_at: null });
});

test('where the clinic lets physicians take cases from the queue only, no case is claimed', async () => {
  await stage.setRule('queue/rules/allow_claim', false);
  const one = await stage.draft();
  await stage.submit(one);
  const { version } = await stage.read(one);
  const claiming = handleCase(contextNow(), actor, one.uuid, { action: 'claim' }, version);
  await expect(claiming).rejects.toMatchObject({ code: 'claiming_disabled' });
  expect(await stage.read(one)).toMatchObject({ status: 'queued', version });
});
