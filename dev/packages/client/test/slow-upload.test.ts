import { expect, test, vi } from 'vitest';
import type { Anamnesis } from '../src/index.ts';

/** A browser's request on a slow line: it sends a tenth each second, and the reply follows. */
class SlowRequest extends EventTarget {
  static sent: string[] = [];
  static progresses = true;
  static status = 200;
  readonly upload = new EventTarget();
  status = SlowRequest.status;
  response = new Blob(['{}']);
  responseType = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  open = (_method: string, url: string) => void SlowRequest.sent.push(new URL(url).pathname);
  setRequestHeader() {}
  getAllResponseHeaders = () => 'content-type: application/json\r\n';
  send(_body: Blob, loaded = 1): void {
    this.#timer = setTimeout(() => {
      if (SlowRequest.progresses)
        this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total: 10 }));
      if (loaded < 10) this.send(_body, loaded + 1);
      else for (const name of ['load', 'loadend']) this.dispatchEvent(new Event(name));
    }, 1000);
  }
  abort = () => clearTimeout(this.#timer);
}
// What the client finds at its start counts.
vi.resetModules();
vi.stubGlobal('XMLHttpRequest', SlowRequest);
vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
const { createDermagate, inMemory } = await import('../src/index.ts');
const { pair } = await import('./scripted-gateway.ts');

const api = createDermagate({
  baseUrl: 'https://gateway.example',
  tokens: inMemory(pair(1)),
  timeout: 3000,
  retry: false,
});
const photo = new Blob(['x']);
const anamnesis = {} as Anamnesis;

async function outcome(call: Promise<unknown>): Promise<unknown> {
  const settled = call.catch((error: unknown) => error);
  for (let n = 0; n < 30; n++) await vi.advanceTimersByTimeAsync(500);
  return await settled;
}

test.each<[string, () => Promise<unknown>]>([
  ['/api/diagnosis', () => api.diagnosis.create({ image: photo, anamnesis })],
  ['/api/ai/image_validity', () => api.images.check({ image: photo })],
  ['/api/common/store_images', () => api.images.upload([photo])],
])(
  'a photo to %s may take longer than the timeout while it progresses, and not when it stalls',
  async (path, call) => {
    SlowRequest.sent = [];
    SlowRequest.progresses = true;
    expect(await outcome(call())).toEqual({});
    SlowRequest.progresses = false;
    expect(await outcome(call())).toMatchObject({ code: 'timeout' });
    expect(SlowRequest.sent).toEqual([path, path]);
  },
);

test('an upload whose reply a browser cannot represent fails, and does not go on for ever', async () => {
  SlowRequest.progresses = true;
  SlowRequest.status = 205;
  expect(await outcome(api.images.upload([photo]))).toMatchObject({ code: 'no_reply' });
  SlowRequest.status = 200;
});
