import type { CaseDetail } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import { checkCases, readHistory, readStaffCase } from '../../gateway/desk-calls.ts';
import { fill } from '../../i18n/texts.ts';
import { useRead } from '../../query/use-read.ts';
import { shortDate } from '../parts/format.ts';
import { deskTexts } from '../i18n/texts.ts';
import { isSamePlace } from './same-place.ts';
import type { ViewedPhoto } from './viewed-photo.ts';

/** Earlier cases whose photos are offered: each is read, and the reading is recorded. */
const MOST_CASES = 4;

/** Photos of the same place in earlier cases of the patient, the newest first. */
export function useEarlierPhotos(shown: CaseDetail, enabled: boolean): ViewedPhoto[] {
  const { earlierOf } = deskTexts.value.photos;
  const { value } = useRead(['earlier-photos', shown.uuid], (signal) => readEarlier(shown, signal), {
    enabled: enabled && shown.history_count > 0,
  });
  return (value ?? []).flatMap(({ id, submitted_at: at, created_at: made, images }) =>
    images.map(({ uuid }) => ({
      uuid,
      label: fill(earlierOf, { date: shortDate(at ?? made), number: String(id) }),
    })),
  );
}

async function readEarlier(shown: CaseDetail, signal: AbortSignal): Promise<Outcome<CaseDetail[]>> {
  const history = await readHistory(shown.patient.uuid, {}, signal);
  // Without the right to the history there is nothing to compare with, which is no failure of the viewer.
  if (!history.ok) return { ok: true, value: [] };
  const others = history.value.items.filter(
    ({ uuid, image_count: count }) => uuid !== shown.uuid && count > 0,
  );
  if (others.length === 0) return { ok: true, value: [] };
  // Of some only the summary may be read.
  const checked = await checkCases(
    others.map(({ uuid }) => uuid),
    signal,
  );
  if (!checked.ok) return checked;
  const found = checked.value.results.filter((each) => each.found).slice(0, MOST_CASES);
  const read = await Promise.all(found.map(({ case_uuid: uuid }) => readStaffCase(uuid, signal)));
  const cases = read.flatMap((each) => (each.ok ? [each.value] : []));
  const here = shown.anamnesis.locations;
  return { ok: true, value: cases.filter(({ anamnesis }) => isSamePlace(here, anamnesis.locations)) };
}
