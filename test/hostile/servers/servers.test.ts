// A real hub, or a tracker alone, with a well-behaved server and servers that misbehave: it answers, the clients of the
// well-behaved server are served and notified, and the memory of the others is freed after their removal.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import type { ServerEntry } from '@tidings/track';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWhole } from '../../support/run/proof-size.ts';
import { type Attacked, blockedMs } from '../support/attacked.ts';
import { type InTurn, someAtOnce } from '../support/some-at-once.ts';
import { Lane } from './lane.ts';
import { type Misbehaviour, groups } from './misbehaviours.ts';

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const megabyte = 1024 * 1024;
/** Some servers are retried a few times, with growing pauses, before the problem shows. */
const shownMs = 300_000;
const secret = 'Bearer hub-secret-0123456789';

let servers: ChildProcess;
let port = 0;

beforeAll(async () => {
  servers = spawn(process.execPath, [program('http-server.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (servers.stdout === null) throw new Error('It has no stdout.');
  const [line]: unknown[] = await once(servers.stdout.setEncoding('utf8'), 'data');
  port = Number(/"port":(\d+)/.exec(String(line))?.[1]);
});

afterAll(() => void servers.kill());

const idOf = ({ name, over }: Misbehaviour) => `${over}-${name}`.replaceAll(/[^a-z0-9]+/g, '-').slice(0, 32);

function entryOf(misbehaviour: Misbehaviour): ServerEntry {
  const { name, over } = misbehaviour;
  const common = { id: idOf(misbehaviour), enabled: true, trackResources: true };
  if (over === 'stdio') {
    return {
      ...common,
      command: process.execPath,
      args: [program('stdio-server.js'), name, idOf(misbehaviour)],
      env: {},
    };
  }
  return { ...common, url: `http://127.0.0.1:${port}/${name}`, headers: { Authorization: secret } };
}

type Kind = 'hub' | 'tracker';
const inTurn: Record<Kind, InTurn> = { hub: someAtOnce(1), tracker: someAtOnce(1) };
const lanes = new Map<Kind, Lane>();

afterAll(async () => {
  for (const lane of lanes.values()) await lane[Symbol.asyncDispose]();
});

/** After a failure the next group gets a new process. */
async function attack(kind: Kind, misbehaviours: readonly Misbehaviour[]): Promise<void> {
  const lane = lanes.get(kind) ?? (await Lane.start(kind));
  lanes.set(kind, lane);
  try {
    await survives(lane, misbehaviours);
  } catch (error) {
    lanes.delete(kind);
    await lane[Symbol.asyncDispose]();
    throw error;
  }
}

async function survives(
  { attacked, bystander, good, before }: Lane,
  misbehaviours: readonly Misbehaviour[],
): Promise<void> {
  await attacked.configure({ servers: [good, ...misbehaviours.map(entryOf)] });
  await areShown(attacked, misbehaviours);
  await bystander.isServed();
  await bystander.isServed();

  await attacked.configure({ servers: [good] });
  await bystander.isServed();
  const turns: number[] = [];
  await eventually(
    'the memory to be free again',
    async () => {
      const now = await attacked.memory();
      turns.push(now.longestTurnMs);
      return now.heapUsed + now.external - before.heapUsed - before.external < 50 * megabyte;
    },
    20_000,
  );
  expect(Math.max(...turns), 'the longest turn').toBeLessThan(blockedMs);
  const { peakRss } = await attacked.memory();
  // Eight servers may each send four messages of 16 MB at once.
  expect(peakRss - before.rss, 'the most memory that was in use').toBeLessThan(700 * megabyte);
  // Server output in the log may be read in a terminal.
  expect(attacked.stderr.includes('\u001b'), 'an escape in the log').toBe(false);
}

/** Each at some moment, because the status of a server that is retried changes. */
async function areShown(attacked: Attacked, misbehaviours: readonly Misbehaviour[]): Promise<void> {
  const waiting = new Set(misbehaviours);
  const isShown = async () => {
    const servers = await attacked.servers();
    for (const misbehaviour of waiting) {
      const { state = /./, detail = /^/ } = misbehaviour.shown ?? {};
      const shown = servers.find(({ id }) => id === idOf(misbehaviour));
      if (shown && state.test(shown.state) && detail.test(shown.detail ?? '')) waiting.delete(misbehaviour);
    }
    return waiting.size === 0;
  };
  await eventually('all to be shown as they are', isShown, shownMs).catch((error: unknown) => {
    const names = [...waiting].map(({ name, over }) => `${name} over ${over}`);
    throw new Error(`Not shown as it is: ${names.join(', ')}`, { cause: error });
  });
}

// A hub contains a tracker, so each group runs with one of the two; all proofs together run both. Half of the groups
// run with the tracker: those that a hub handles in its tracker only.
const names = Object.keys(groups);
const isOfTracker = (name: string) => /^(bodies|storms over HTTP|streams|listen|silence|HTTP)/.test(name);
const ofHub = isWhole ? names : names.filter((name) => !isOfTracker(name));
const ofTracker = isWhole ? names.toReversed() : names.filter(isOfTracker);
// In pairs, so that both processes are busy.
const attacks = ofHub.flatMap((group, n) => [
  { kind: 'hub' as const, group },
  { kind: 'tracker' as const, group: ofTracker[n] ?? group },
]);

describe('servers that misbehave', () => {
  it.concurrent.each(attacks)('a $kind stays available with $group', { timeout: 600_000 }, ({ kind, group }) =>
    inTurn[kind](() => attack(kind, groups[group] ?? [])),
  );
});

it('credentials are not sent to the target of a redirect', async () => {
  const heard: unknown = await (await fetch(`http://127.0.0.1:${port}/thief/heard`)).json();
  expect(heard).toEqual([]);
});
