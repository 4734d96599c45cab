import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { TaskIds } from './task-ids.ts';

const task = { serverId: 's', tool: 'long', taskId: 'ä.1' };

it('an id leads back to its task, for its principal only', () => {
  const ids = new TaskIds(randomBytes(32));
  const id = ids.write(task, 'ada');
  expect(ids.read(id, 'ada')).toEqual(task);
  expect(ids.read(id, 'grace')).toBeUndefined();
  expect(ids.read(id, undefined)).toBeUndefined();
  expect(new TaskIds(randomBytes(32)).read(id, 'ada')).toBeUndefined();
});

it('refuses an id that was never issued', () => {
  const ids = new TaskIds(randomBytes(32));
  const [text = '', signature = ''] = ids.write(task, undefined).split('.');
  const other = Buffer.from(JSON.stringify(['s', 'long', 'other'])).toString('base64url');
  for (const id of ['', '.', text, `${text}.`, `${other}.${signature}`, `${text}.${signature}x.`, 7, null, {}]) {
    if (id !== `${text}.${signature}`) expect(ids.read(id, undefined)).toBeUndefined();
  }
});
