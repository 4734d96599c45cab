import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { Snapshots } from '../../mirror/snapshots.ts';
import { Versions } from '../../mirror/versions.ts';
import { defaultSettings } from '../../options/settings.ts';
import { Telemetry } from '../../base/telemetry.ts';
import { FakeRecorder } from '../../testing/fake-recorder.ts';
import { FakeResourceServer } from '../../testing/fake-resource-server.ts';
import { FollowedResources } from './followed-resources.ts';

it('followed resources that are taken over keep contents read by the successor, and remove the rest', async () => {
  const clock = new FakeClock();
  const snapshots = new Snapshots(1_000_000);
  const versions = new Versions({ count: 20, bytes: 1_000_000 });
  const followed = () =>
    new FollowedResources(
      {
        serverId: 's',
        clock,
        settings: defaultSettings,
        telemetry: new Telemetry(),
        snapshots,
        versions,
        server: new FakeResourceServer(clock, async (uri) => ({ contents: [{ uri, text: uri }] })),
        recorder: new FakeRecorder(() => undefined),
        handover: { watchers: { tell: () => undefined }, watcherContents: new Map() },
      },
      new Map(),
    );
  const [before, after] = [followed(), followed()];
  const [read, unread, dropped] = ['note://read', 'note://unread', 'note://dropped'];
  for (const uri of [read, unread, dropped]) {
    before.follow(uri);
    await before.mirror.read(uri);
  }
  for (const uri of [read, unread]) after.follow(uri);
  await after.mirror.read(read);
  before.stop();
  before.discard(after);
  expect([read, unread, dropped].map((uri) => after.mirror.snapshot(uri) !== undefined)).toEqual([true, false, false]);
  expect([read, unread, dropped].map((uri) => after.mirror.versions(uri).length)).toEqual([1, 1, 0]);
  expect([...before.mirror.uris]).toEqual([]);
});
