import { h } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import { useOnce, type Work } from '../../src/query/use-once.ts';
import { openPage } from './fake-page.ts';

test('a call that fails before it begins leaves the way free for the next one', async () => {
  let work: Work | undefined;
  function Form() {
    work = useOnce();
    return null;
  }
  await openPage().show(h(Form, null));
  const run = (call: () => never) => work?.run(call, () => {});
  const refuse = () => {
    throw new RangeError('Invalid time value');
  };
  await act(() => expect(run(refuse)).rejects.toThrow(RangeError));
  expect(work?.busy).toBe(false);
  await act(() => expect(run(refuse)).rejects.toThrow(RangeError));
});
