import { expect, it } from 'vitest';
import { onAbort, unlessAborted } from './on-abort.ts';

const never = new Promise<never>(() => undefined);

it('a listener is called once with the reason of the signal', () => {
  const reasons: unknown[] = [];
  const controller = new AbortController();
  onAbort(controller.signal, (reason) => reasons.push(reason));
  controller.abort('left');
  controller.abort('again');
  onAbort(controller.signal, (reason) => reasons.push(reason));
  onAbort(undefined, (reason) => reasons.push(reason));
  expect(reasons).toEqual(['left', 'left']);
});

it('a stopped listener is not called', () => {
  const reasons: unknown[] = [];
  const controller = new AbortController();
  const stop = onAbort(controller.signal, (reason) => reasons.push(reason));
  stop();
  controller.abort('left');
  expect(reasons).toEqual([]);
});

it('work settles as usual, or is rejected when its signal is aborted', async () => {
  const controller = new AbortController();
  await expect(unlessAborted(controller.signal, Promise.resolve('value'))).resolves.toBe('value');
  await expect(unlessAborted(undefined, Promise.reject(new Error('own')))).rejects.toThrow('own');
  const waiting = unlessAborted(controller.signal, never);
  controller.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  await expect(unlessAborted(controller.signal, Promise.reject(new Error('own')))).rejects.toThrow('left');
});
