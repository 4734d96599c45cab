import { expect, it } from 'vitest';
import { Doubts } from './doubts.ts';
import { ResourceRecord } from './resource-record.ts';

function doubted() {
  const doubts = new Doubts();
  const record = new ResourceRecord('note://a');
  doubts.add(record);
  return { doubts, record, first: record.doubt };
}

it('a doubt is settled by the comparison that began under it', () => {
  const { doubts, record, first } = doubted();
  doubts.settle(record, first);
  expect(record.doubt).toBe(0);
  expect([...doubts.records]).toEqual([]);
});

it('a doubt that came during a comparison is not settled by it', () => {
  const { doubts, record, first } = doubted();
  doubts.add(record);
  doubts.settle(record, first);
  expect([...doubts.records]).toEqual([record]);
  doubts.settle(record, record.doubt);
  expect([...doubts.records]).toEqual([]);
});
