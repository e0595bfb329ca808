import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostileForms, hostileJson } from '../../../dev/tools/bench/hostile-bodies.ts';
import { longestSilence, type Sent } from '../../../dev/tools/bench/silence.ts';
import { type Host, startHost } from '../../../dev/packages/functions-host/host.ts';
import { imageLimits } from '../../../src/domain/media/images/accept-image.ts';
import { register } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { afterwards } from '../../support/cleanup.ts';

// A body of 20 MB is read by the one thread that answers everybody. `npm run bench` holds it to twice the time of a
// handler that only parses; here it is four times, since other tests run beside this one.

// A process of its own: what is measured is its one thread.
const app = await testApp({ process: true });
const { access_token: token } = await register(app);
const bare = await startHost({
  app: join(import.meta.dirname, '..', '..', '..', 'dev', 'tools', 'bench', 'bare-app'),
  output: () => undefined,
});
afterwards(() => bare.stop());

const bytes = Math.ceil(imageLimits.maxBytes / 3) * 4 + 1024;
const bodies = [...hostileJson(bytes), ...hostileForms(imageLimits.maxBytes)];
const base64 = bodies[0]?.make() ?? Buffer.alloc(0);

async function gatewayMs(contentType: string, body: Buffer): Promise<number> {
  const headers = { 'content-type': contentType, authorization: `Bearer ${token}` };
  const { waitMs, status, answer } = await longestWait(app.host, '/healthy', {
    path: '/api/ai/image_validity',
    headers,
    body,
  });
  expect(status, answer).toBe(400);
  return waitMs;
}

async function bareMs(): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await longestWait(bare, '/bare', { path: '/bare/json', headers, body: base64 })).waitMs;
}

/**
 * How long another request waits for a body, at most as long as the app's thread works while it reads the body: on a busy
 * machine a request waits for other processes, too.
 */
async function longestWait(host: Host, probe: string, sent: Sent) {
  const before = workedMs(host);
  const { longestMs, ...reply } = await longestSilence(host.url, probe, sent);
  return { ...reply, waitMs: Math.min(longestMs, workedMs(host) - before || Infinity) };
}

/** Processor time of the thread that answers everybody, in milliseconds; NaN where Linux does not count it. */
function workedMs(host: Host): number {
  const pid = host.workerPid();
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** The least of some rounds: what else the machine does only adds to a wait. */
async function leastBareMs(): Promise<number> {
  return Math.min(await bareMs(), await bareMs(), await bareMs());
}
const quietMs = await leastBareMs();

test.each(bodies)('$name: refused, and no other request waits for it', async ({ contentType, make }) => {
  const body = make();
  let ours = await gatewayMs(contentType, body);
  let theirs = quietMs;
  if (ours >= 4 * theirs) {
    // Too long: both are measured again, side by side, since the machine may be busier than it was.
    theirs = Infinity;
    for (let round = 0; round < 2 || (round < 8 && ours >= 4 * theirs); round += 1) {
      ours = Math.min(ours, await gatewayMs(contentType, body));
      theirs = Math.min(theirs, await bareMs());
    }
  }
  expect(ours).toBeLessThan(4 * theirs);
});
