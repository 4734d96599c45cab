// Two hubs on one data folder, each with its own readers.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { expect, it, onTestFinished } from 'vitest';
import { FaultyProxy } from '../support/network/faulty-proxy.ts';
import { SseClient } from '../support/wire/sse-client.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

async function reader({ url }: RunningHub, cursor?: string): Promise<SseClient> {
  const headers = cursor === undefined ? {} : { 'Last-Event-ID': cursor };
  const client = await SseClient.open(`${url}/api/mcp/resource-events`, headers);
  onTestFinished(() => client.close());
  return client;
}

it('each of two hubs on one folder reports a change to its own readers', async () => {
  const place = await mkdtemp(join(tmpdir(), 'tidings-two-hubs-'));
  onTestFinished(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));
  await using notes = await NotesUpstream.start('modern');
  await using texts = await NotesUpstream.start('modern', 'text');
  await using proxy = await FaultyProxy.open(notes.entry('notes').url);
  notes.put('a', 'one');
  notes.put('c', 'one');
  texts.put('b', 'one');
  const first = { servers: [{ ...notes.entry('notes'), url: proxy.url }, texts.entry('texts')], place };
  const one = await runningHub(first);
  await one.isLive('notes', 'texts');
  const two = await runningHub({ servers: [notes.entry('notes')], place });
  await two.isLive('notes');
  await eventually('everything to be known', () => [one, two].every((hub) => hub.status('notes')?.hashed === 2));

  // Only the second hub sees this change, and stores that it has been reported.
  proxy.affectNew('refuse');
  proxy.cut();
  await eventually('the first to be cut off', () => one.status('notes')?.state === 'backoff');
  const ofTwo = await reader(two);
  notes.put('a', 'two');
  await ofTwo.told('note://a');
  // Later notifications prove that its readers have the content; the window of two seconds spreads their events.
  for (const text of ['two', 'three', 'four']) {
    const before = ofTwo.timesTold('note://c');
    notes.put('c', text);
    await ofTwo.told('note://c', before);
  }
  await two[Symbol.asyncDispose]();
  // A reader of the first hub has got all of its events up to this one.
  const before = await reader(one);
  texts.put('b', 'two');
  await before.told('text://b');
  const cursor = before.lastId;
  expect(before.updates).not.toContain('note://a');
  await one[Symbol.asyncDispose]();

  proxy.mend();
  await using again = await runningHub(first);
  const after = await reader(again, cursor);
  await eventually('the change, or a gap', () => after.updates.includes('note://a') || after.all('gap').length > 0);
});

it('a hub continues a journal that no other hub writes, and a cursor of another journal leads to a gap', async () => {
  const place = await mkdtemp(join(tmpdir(), 'tidings-two-hubs-'));
  onTestFinished(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));
  await using notes = await NotesUpstream.start('modern');
  notes.put('a', 'one');
  const options = { servers: [notes.entry('notes')], place };
  const one = await runningHub(options);
  const two = await runningHub(options);
  await Promise.all([one.isLive('notes'), two.isLive('notes')]);
  const readers = await Promise.all([reader(one), reader(two)]);
  notes.put('a', 'two');
  await Promise.all(readers.map((each) => each.told('note://a')));
  const [ofOne, ofTwo] = readers.map(({ lastId }) => lastId);
  await one[Symbol.asyncDispose]();
  await two[Symbol.asyncDispose]();
  await using again = await runningHub(options);
  const [known, unknown] = await Promise.all([reader(again, ofOne), reader(again, ofTwo)]);
  await eventually('a gap', () => unknown.all('gap').length > 0);
  expect(known.all('gap')).toEqual([]);
});
