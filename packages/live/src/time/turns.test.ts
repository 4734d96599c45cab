import { expect, it } from 'vitest';
import { eventLoopTurn } from './clock.ts';
import { Turns } from './turns.ts';

it('runs steps in order, each when the one before has ended', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const step = (name: string) => async () => {
    seen.push(`${name} begins`);
    await eventLoopTurn();
    seen.push(`${name} ends`);
    return name;
  };
  expect(await Promise.all([turns.take(step('one')), turns.take(step('two'))])).toEqual(['one', 'two']);
  expect(seen).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

it('lets other events be handled between two steps', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const steps = ['one', 'two', 'three'].map((name) => turns.take(() => seen.push(name)));
  setImmediate(() => {
    seen.push('event');
    setImmediate(() => seen.push('event'));
  });
  await Promise.all(steps);
  expect(seen).toEqual(['event', 'one', 'event', 'two', 'three']);
});

it('continues after a failed step', async () => {
  const turns = new Turns();
  const failing = turns.take(() => Promise.reject(new Error('broken')));
  const next = turns.take(() => 'fine');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('fine');
});
