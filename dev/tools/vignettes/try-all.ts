import type { Photo } from '../intake/backends.ts';
import { type Channel, channels as allChannels, type Trial, tryVignette } from './try-vignette.ts';
import type { TriedGateway } from './tried-gateway.ts';
import type { Vignette } from './vignette.ts';

/** Runs every vignette on every channel; results keep the order of the vignettes. */
export async function tryAll(
  gateway: TriedGateway,
  photo: Photo,
  vignettes: readonly Vignette[],
  {
    channels = allChannels,
    withRemovals = true,
    concurrency = 1,
  }: { channels?: readonly Channel[]; withRemovals?: boolean; concurrency?: number } = {},
): Promise<Trial[]> {
  const trials: Trial[] = [];
  const jobs = vignettes.flatMap((vignette) => channels.map((channel) => ({ vignette, channel }))).entries();
  async function work(): Promise<void> {
    for (const [index, { vignette, channel }] of jobs) {
      trials[index] = await tryVignette(gateway, photo, vignette, channel, { withRemovals });
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  return trials;
}
