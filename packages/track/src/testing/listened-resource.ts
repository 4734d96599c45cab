// One followed resource with its listeners, for tests of what they are told.
import { FakeClock } from '@tidings/live/testing';
import { eventLoopTurn } from '@tidings/live/time';
import { Telemetry } from '../base/telemetry.ts';
import { type RememberedResource, ResourceRecord } from '../mirror/resource-record.ts';
import { Listeners } from '../upstream/follow/listeners.ts';
import { FakeRecorder } from './fake-recorder.ts';

export const windowMs = 2000;
export const uri = 'note://a';

/** One followed resource, and what is told about it. `found` is what a read finds; undefined if it fails. */
export function following({
  remembered,
  isTracked = true,
}: { remembered?: RememberedResource; isTracked?: boolean } = {}) {
  const clock = new FakeClock();
  const recorder = new FakeRecorder();
  const record = new ResourceRecord(uri, remembered);
  const telemetry = new Telemetry();
  const records = new Map([[uri, record]]);
  const made = {
    told: [] as string[],
    soon: 0,
    found: undefined as string | undefined,
    isSubscribed: true,
    heardAt: 0,
  };
  const listeners = new Listeners({
    serverId: 's',
    clock,
    windowMs,
    telemetry,
    recorder,
    watchers: { tell: (each) => void made.told.push(each) },
    server: { isSubscribed: () => made.isSubscribed, heardAt: () => made.heardAt },
    mirror: {
      get: (each) => records.get(each),
      get records() {
        return records.values();
      },
    },
    reads: { soon: () => void (made.soon += 1), hash: async () => made.found },
  });
  listeners.isTracked = isTracked;
  const types = () => recorder.events.map(({ type }) => type);
  return { clock, recorder, record, records, made, listeners, telemetry, types };
}

/** Lets time pass, and reads that it has started end. */
export async function pass(clock: FakeClock, ms: number): Promise<void> {
  clock.advance(ms);
  await eventLoopTurn();
}
