import type { PhysicianDetails } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import { readMyProfile } from '../../gateway/desk-calls.ts';
import { whoAmI } from '../../gateway/gateway.ts';
import { type Read, useRead } from '../../query/use-read.ts';

export const myProfileKey = ['my-profile'];

/** The caller's own profile; null for an account without one. */
export const useMyProfile = (): Read<PhysicianDetails | null> =>
  useRead(myProfileKey, readProfile, { survivesLanguage: true });

async function readProfile(signal: AbortSignal): Promise<Outcome<PhysicianDetails | null>> {
  const me = await whoAmI();
  if (!me.ok) return me;
  const { physician } = me.value;
  if (physician === null) return { ok: true, value: null };
  const page = await readMyProfile(physician.uuid, signal);
  return page.ok ? { ok: true, value: page.value.items[0] ?? null } : page;
}

/** Whether groups give the caller this right; false until it is known. */
export const useMayAudit = (): boolean => useMyProfile().value?.capabilities?.includes('case.audit') ?? false;
