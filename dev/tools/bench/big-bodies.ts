// JSON and forms of the maximum size of POST /api/ai/image_validity, built to be slow to read: how long GET /healthy waits
// meanwhile, compared with a bare handler that only calls JSON.parse on base64 of the same size.
import { imageLimits } from '../../../src/domain/media/images/accept-image.ts';
import { significant } from './compare.ts';
import { hostileForms, hostileJson } from './hostile-bodies.ts';
import type { Rig } from './rig.ts';
import { longestSilence, type Sent } from './silence.ts';
import { table } from './table.ts';

export const name = 'big-bodies';

/** Bar: no body may block other requests for longer than this multiple of the bare handler's time. */
const bar = 2;
const rounds = 5;
/** Extra rounds for a body above the bar, to distinguish a slow body from a busy machine. */
const roundsInDoubt = 25;

/** The endpoint's maximum body size, as JSON. */
const bytes = Math.ceil(imageLimits.maxBytes / 3) * 4 + 1024;

export async function run(rig: Rig): Promise<string> {
  const [app, bare] = await Promise.all([rig.app(), rig.bare()]);
  const bodies = [...hostileJson(bytes), ...hostileForms(imageLimits.maxBytes)];
  const [base64] = bodies;
  if (base64 === undefined) throw new Error('No body.');
  const yardstickBody = base64.make();
  const headers = { 'content-type': 'application/json' };
  const authorization = `Bearer ${app.token}`;
  async function yardstick(): Promise<number> {
    const silence = await longestSilence(bare.url, '/bare', {
      path: '/bare/json',
      headers,
      body: yardstickBody,
    });
    if (silence.status !== 200) throw new Error(`The bare handler answered ${silence.status}.`);
    return silence.longestMs;
  }
  async function gateway(sent: Omit<Sent, 'path'>): Promise<number> {
    const path = '/api/ai/image_validity';
    const silence = await longestSilence(app.url, '/healthy', { path, ...sent });
    if (silence.status !== 400) throw new Error(`${path} answered ${silence.status}: ${silence.answer}`);
    return silence.longestMs;
  }

  const rows: string[][] = [];
  let worst = 0;
  await yardstick();
  for (const body of bodies) {
    const sent = { headers: { 'content-type': body.contentType, authorization }, body: body.make() };
    await gateway(sent);
    // Other work of the machine only adds to a wait: the shortest round shows the cost of the body itself.
    let [own, theirs] = [Infinity, Infinity];
    for (let round = 0; round < (own / theirs > bar ? roundsInDoubt : rounds); round += 1) {
      own = Math.min(own, await gateway(sent));
      theirs = Math.min(theirs, await yardstick());
    }
    worst = Math.max(worst, own / theirs);
    const figures = [own, theirs, own / theirs].map(significant);
    rows.push([body.name, figures[0] ?? '', figures[1] ?? '', `× ${figures[2]}`]);
  }
  console.log(
    `\nGET /healthy while a body of up to ${bytes} bytes is read: longest wait in ms, least of ${rounds} rounds`,
  );
  console.log(table(['', 'gateway', 'bare JSON.parse', 'ratio'], rows));
  if (worst > bar) throw new Error(`The bar is × ${bar}; the worst body is × ${significant(worst)}.`);
  return `big bodies at worst × ${significant(worst)} of a bare JSON.parse`;
}
