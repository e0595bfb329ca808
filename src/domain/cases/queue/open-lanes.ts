import { systemActorOf } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import type { AppContext } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { openAudit } from '../../platform/events/record-event.ts';
import { type FoundCase, forEachCase, type Run } from '../record/for-each-case.ts';
import { type CaseRecord, lockCase } from '../record/case.queries.ts';
import { anyLanguage, generalPool, homeLane, type LaneColumns, physicianOf } from '../record/lane.ts';
import {
  findEndedReservations,
  findLanguagesToOpen,
  findPoolsToOpen,
  servedPools,
} from './open-lanes.queries.ts';
import { type QueueRules, readQueueRules } from '../record/queue-rules.ts';
import { changeLane } from './return-to-queue.ts';
import { isAtWork } from './physician-at-work.queries.ts';

/** Cases of one tenant in one run. */
const batch = 200;

/**
 * Offers cases to more physicians: at the end of a reservation to the patient's own pool, from a private pool to all after
 * the minutes of `queue/rules` or when all its physicians are away, and in any language after the minutes for that.
 */
export async function openLanes(
  work: Pick<AppContext, 'db' | 'log' | 'clock' | 'memory'>,
  now: Date,
): Promise<Run> {
  return await forEachCase(
    work,
    async (tenantId) => {
      const rules = await readQueueRules(work, tenantId);
      return await inTenant(work.db, tenantId, (tx) => findLanesToOpen(tx, tenantId, { rules, now }));
    },
    async (found) => {
      const rules = await readQueueRules(work, found.tenantId);
      await inTenant(work.db, found.tenantId, (tx) => openLane(tx, found, { rules, now }));
    },
  );
}

interface At {
  rules: QueueRules;
  now: Date;
}

async function findLanesToOpen(tx: Tx, tenantId: number, { rules, now }: At): Promise<{ uuid: string }[]> {
  const at = { tenantId, now, limit: batch };
  const found = [
    ...(await findEndedReservations(tx, at)),
    ...(await findPoolsToOpen(tx, { ...at, minutes: rules.pool_open_minutes })),
    ...(await findLanguagesToOpen(tx, { ...at, minutes: rules.language_open_minutes })),
  ];
  return [...new Set(found)].slice(0, batch).map((uuid) => ({ uuid }));
}

/** Judges the case again under its lock: meanwhile a physician may have taken it. */
async function openLane(tx: Tx, { tenantId, caseUuid }: FoundCase, at: At): Promise<void> {
  const record = await lockCase(tx, caseUuid);
  if (record === undefined || record.status !== 'queued') return;
  const lane = await laneNow(tx, record, at);
  if (lane.lane_pool === record.lane_pool && lane.lane_language === record.lane_language) return;
  const request = { id: 'openLanes', ipPrefix: undefined };
  const audit = openAudit(auditEvents.caseLaneChanged, systemActorOf(tenantId), request);
  const reason = physicianOf(record) === undefined ? 'waited' : 'reservation_over';
  await changeLane(tx, { audit }, record, lane, { reason });
}

/** Where a queued case waits from `now` on. */
async function laneNow(tx: Tx, record: CaseRecord, { rules, now }: At): Promise<LaneColumns> {
  const physician = physicianOf(record);
  const isOver = record.lane_until === null || record.lane_until <= now;
  if (physician !== undefined && !isOver && (await isAtWork(tx, physician))) return record;
  const lane = physician === undefined ? record : homeLane(record);
  const waitedMs = now.getTime() - (record.queued_at ?? record.status_changed_at).getTime();
  const hasWaited = (minutes: QueueRules['pool_open_minutes']) =>
    waitedMs >= (minutes[record.triage_rank ?? 2] ?? 0) * 60 * 1000;
  const pool = lane.lane_pool ?? generalPool;
  const isOpen =
    pool === generalPool ||
    hasWaited(rules.pool_open_minutes) ||
    !(await servedPools(tx, record.tenant_id, [pool])).has(pool);
  return {
    lane_pool: isOpen ? generalPool : pool,
    lane_language: hasWaited(rules.language_open_minutes) ? anyLanguage : lane.lane_language,
    lane_until: null,
  };
}
