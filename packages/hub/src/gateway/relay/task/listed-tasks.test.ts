import { expect, it } from 'vitest';
import { ListedTasks } from './listed-tasks.ts';

it('lists the newest tasks of each principal, and of no other', () => {
  const tasks = new ListedTasks();
  for (let n = 0; n < 150; n += 1) tasks.add(`a${n}`, 'ada');
  tasks.add('g', 'grace');
  tasks.add('of none');
  expect(tasks.of('ada')).toHaveLength(100);
  expect(tasks.of('ada')[0]).toBe('a50');
  expect([tasks.of('grace'), tasks.of(), tasks.of('eve')]).toEqual([['g'], ['of none'], []]);
  tasks.delete('g', 'ada');
  tasks.delete('a50', 'ada');
  expect([tasks.of('grace').length, tasks.of('ada')[0]]).toEqual([1, 'a51']);
});
