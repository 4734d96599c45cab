import { FakeClock } from '@tidings/live/testing';
import { eventLoopTurn } from '@tidings/live/time';
import { expect, it } from 'vitest';
import { Snapshots } from '../../mirror/snapshots.ts';
import { Versions } from '../../mirror/versions.ts';
import { defaultSettings } from '../../options/settings.ts';
import { Telemetry } from '../../base/telemetry.ts';
import { FakeRecorder } from '../../testing/fake-recorder.ts';
import { FakeResourceServer } from '../../testing/fake-resource-server.ts';
import { FollowedResources } from './followed-resources.ts';
import { HealingQueue } from './healing-queue.ts';

const names = Array.from('abcdefghijklm', (name) => `note://${name}`);
const log = { warn: () => undefined, error: () => undefined };

/** Followed resources that were compared once. Reads of `hanging` ones get no answer. */
async function compared() {
  const clock = new FakeClock();
  const texts = new Map(names.map((uri) => [uri, 'A']));
  const hanging = new Set<string>();
  const unanswered: (() => void)[] = [];
  const told: string[] = [];
  const recorder = new FakeRecorder();
  const server = new FakeResourceServer(clock, async (uri) => {
    if (hanging.has(uri)) await new Promise((_, reject) => unanswered.push(() => reject(new Error('It timed out.'))));
    return { contents: [{ uri, text: texts.get(uri) ?? '' }] };
  });
  const followed = new FollowedResources(
    {
      serverId: 's',
      clock,
      settings: defaultSettings,
      telemetry: new Telemetry(),
      snapshots: new Snapshots(1_000_000),
      versions: new Versions({ count: 0, bytes: 0 }),
      server,
      recorder,
      handover: { watchers: { tell: (uri) => void told.push(uri) }, watcherContents: new Map() },
    },
    new Map(),
  );
  followed.listeners.isTracked = true;
  const queue = new HealingQueue(followed.healing, log);
  let session = {};
  const heal = async () => {
    const current = session;
    queue.add({ isInForce: () => true, isCurrent: () => session === current });
    await eventLoopTurn();
  };
  const pass = async (ms: number) => {
    clock.advance(ms);
    await eventLoopTurn();
  };
  const timeOut = async () => {
    for (const fail of unanswered.splice(0)) fail();
    await eventLoopTurn();
  };
  const lose = () => void (session = {});
  for (const uri of names) followed.follow(uri);
  await heal();
  told.length = 0;
  return { texts, hanging, told, recorder, followed, heal, pass, timeOut, lose };
}

const types = ({ events }: FakeRecorder) => events.map(({ type }) => type);

it('resources whose reads hang delay the comparison of no others', async () => {
  const { texts, hanging, told, followed, heal, pass } = await compared();
  for (const uri of names.slice(0, 10)) hanging.add(uri);
  texts.set('note://m', 'B');
  followed.doubtAll();
  await heal();
  for (let passed = 0; passed < 10; passed += 1) await pass(1000);
  expect(told).toEqual(['note://m']);
});

it('a resource whose read hangs does not delay the comparison after a later gap', async () => {
  const { texts, hanging, told, followed, heal, pass } = await compared();
  hanging.add('note://a');
  followed.doubtAll();
  await heal();
  texts.set('note://b', 'B');
  followed.doubtAll();
  await heal();
  await pass(4000);
  expect(told).toEqual(['note://b']);
});

it('resources that cannot be compared are reported before a read that hangs has ended', async () => {
  const { hanging, told, recorder, followed, heal, pass } = await compared();
  hanging.add('note://a');
  for (const uri of ['note://b', 'note://c']) {
    const record = followed.mirror.get(uri);
    if (record) record.isTooLarge = true;
  }
  followed.doubtAll();
  await heal();
  await pass(4000);
  expect(told).toEqual(['note://b', 'note://c']);
  expect(types(recorder)).toEqual(['gap']);
});

it('a resource whose read hangs and fails is reported once, though later runs wait for it, too', async () => {
  const { hanging, told, recorder, followed, heal, pass, timeOut } = await compared();
  hanging.add('note://a');
  followed.doubtAll();
  for (let runs = 0; runs < 3; runs += 1) {
    await heal();
    await pass(4000);
  }
  recorder.events.length = 0;
  for (let reads = 0; reads < 3; reads += 1) await timeOut();
  expect(told).toEqual(['note://a']);
  expect(types(recorder)).toEqual(['gap']);
});

it('nothing is reported of a session that has ended', async () => {
  const { hanging, told, recorder, followed, heal, pass, lose } = await compared();
  hanging.add('note://a');
  const record = followed.mirror.get('note://b');
  if (record) record.isTooLarge = true;
  followed.doubtAll();
  await heal();
  lose();
  await pass(4000);
  expect(told).toEqual([]);
  expect(types(recorder)).toEqual([]);
});
