import { expect, it } from 'vitest';
import { eventLoopTurn } from './clock.ts';
import { Serial } from './serial.ts';

it('runs each task when the one before has ended', async () => {
  const serial = new Serial();
  const seen: string[] = [];
  const task = (name: string) => async () => {
    seen.push(`${name} begins`);
    await eventLoopTurn();
    seen.push(`${name} ends`);
    return name;
  };
  expect(await Promise.all([serial.run(task('one')), serial.run(task('two'))])).toEqual(['one', 'two']);
  expect(seen).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

it('continues after a failed task', async () => {
  const serial = new Serial();
  const failing = serial.run(() => Promise.reject(new Error('broken')));
  const throwing = serial.run(() => {
    throw new Error('broken at once');
  });
  const next = serial.run(() => 'fine');
  await expect(failing).rejects.toThrow('broken');
  await expect(throwing).rejects.toThrow('broken at once');
  expect(await next).toBe('fine');
});

it('lets the next task wait until the one before releases its turn', async () => {
  const serial = new Serial();
  const release = await serial.acquire();
  let hasRun = false;
  const next = serial.run(() => void (hasRun = true));
  await eventLoopTurn();
  expect(hasRun).toBe(false);
  release();
  await next;
  expect(hasRun).toBe(true);
});
