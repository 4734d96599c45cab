// The parts of one test of the OBS server: an OBS, a second connection that makes changes by hand, the server, and a
// client that watches.
import { Client } from '@modelcontextprotocol/client';
import { type LiveServer, serveMemory } from '@tidings/live';
import { type TestClient, connectMemory, eventually } from '@tidings/live/testing';
import { type ObsSettings, openObs } from '@tidings/obs';
import { OBSWebSocket } from 'obs-websocket-js/json';
import { z } from 'zod';
import type { ObsUnderTest } from '../support/service/obs-under-test.ts';
import { FaultyProxy } from '../support/network/faulty-proxy.ts';

export const status = z.looseObject({
  connected: z.boolean(),
  state: z.string(),
  detail: z.string(),
  programScene: z.string().nullable(),
  previewScene: z.string().nullable(),
});

export const silent = { warn: () => undefined, error: () => undefined };

export class Workbench implements AsyncDisposable {
  readonly obs: ObsUnderTest;
  readonly server: LiveServer;
  readonly client: TestClient;
  readonly #proxy: FaultyProxy;
  #hand: OBSWebSocket | undefined;

  private constructor(obs: ObsUnderTest, proxy: FaultyProxy, server: LiveServer, client: TestClient) {
    this.obs = obs;
    this.#proxy = proxy;
    this.server = server;
    this.client = client;
  }

  /** Waits until the server is connected, unless OBS is absent. */
  static async open(obs: ObsUnderTest, settings: ObsSettings = {}): Promise<Workbench> {
    const proxy = await FaultyProxy.open(obs.url);
    const server = openObs({ url: proxy.url, password: obs.password, log: silent, windowMs: 0, ...settings });
    return new Workbench(obs, proxy, server, await connectMemory(server, 'modern'));
  }

  static async connected(obs: ObsUnderTest, settings: ObsSettings = {}): Promise<Workbench> {
    const bench = await Workbench.open(obs, settings);
    await bench.untilConnected();
    return bench;
  }

  async status() {
    return status.parse(JSON.parse(await this.client.read('obs://status')));
  }

  async untilConnected(): Promise<void> {
    await eventually('OBS to be connected', async () => (await this.status()).connected, 30_000);
  }

  async untilAway(): Promise<void> {
    await eventually('OBS to be away', async () => !(await this.status()).connected, 30_000);
  }

  /** Makes a change in OBS over a connection of its own, not through the server. */
  async byHand(request: Parameters<OBSWebSocket['call']>[0], data?: Record<string, unknown>) {
    this.#hand ??= await this.#takeControls();
    return this.#hand.call(request, data);
  }

  async read(uri: string): Promise<unknown> {
    return JSON.parse(await this.client.read(uri));
  }

  /** Reads binary content. */
  async image(uri: string): Promise<{ mimeType: string; blob: string }> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(serveMemory(this.server));
    try {
      const { contents } = await client.readResource({ uri });
      return z.object({ mimeType: z.string(), blob: z.string() }).parse(contents[0]);
    } finally {
      await client.close();
    }
  }

  /** Calls a tool and returns its whole result; throws if the tool fails. */
  async call(tool: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const text = await this.client.call(tool, args);
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    } catch {
      throw new Error(`${tool}: ${text}`);
    }
  }

  /** Reads until the content meets the condition. */
  async until(uri: string, isWanted: (content: unknown) => boolean): Promise<void> {
    await eventually(`${uri} to be as wanted`, async () => isWanted(await this.read(uri).catch(() => undefined)));
  }

  /** Earlier changes are announced in the next turns of the event loop. */
  async untilAnnounced(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  timesTold(uri: string): number {
    return this.client.updates.filter((each) => each === uri).length;
  }

  async told(uri: string, before = 0): Promise<void> {
    await eventually(`an update of ${uri}`, () => this.timesTold(uri) > before);
  }

  /** The URIs that `action` announces to a subscriber of every listed resource. */
  async toldBy(action: () => Promise<unknown>, ...others: string[]): Promise<string[]> {
    // A transition announces scenes when it ends, so it must be over.
    await this.until('obs://status', (status) => Object(status).transition?.isRunning === false);
    const watcher = await connectMemory(this.server, 'modern');
    const [first, ...last] = ['fence before', 'fence after', 'last fence'] as const;
    await this.#prepareFences();
    const fences = [...[first, ...last].map(fenceUri), fenceOwner, `obs://scene/${fenceScene}`];
    await watcher.subscribe(...new Set([...(await this.client.listAll()), ...others, ...fences]));
    await this.#fence(watcher, first);
    const before = watcher.updates.length;
    await action();
    // OBS sends events from several threads, so the first of these may overtake the events of the action.
    for (const name of last) await this.#fence(watcher, name);
    await watcher.close();
    for (const filter of [first, ...last]) await this.call('remove_filter', { source: fenceSource, filter });
    return [...new Set(watcher.updates.slice(before))].filter((uri) => !fences.includes(uri)).sort();
  }

  /** The filters belong to a source that is never shown: OBS 29 can crash when filters of a visible one change. */
  async #prepareFences(): Promise<void> {
    if ((await this.client.listAll()).includes(fenceOwner)) return;
    await this.call('create_scene', { scene: fenceScene });
    await this.call('create_input', { scene: fenceScene, input: fenceSource, kind: 'color_source_v3' });
  }

  /** Announcements keep the order of OBS's events: a new filter is announced after earlier changes. */
  async #fence(watcher: TestClient, name: string): Promise<void> {
    const fence = { sourceName: fenceSource, filterName: name, filterKind: 'color_filter_v2' };
    await this.byHand('CreateSourceFilter', fence);
    await eventually(`the ${name}`, () => watcher.updates.includes(fenceUri(name)));
  }

  /** Cuts the server's connection and prevents a new one until `action` is done. */
  async whileCutOff(action: () => Promise<void>): Promise<void> {
    this.#proxy.affectNew('refuse');
    this.#proxy.cut();
    await this.untilAway();
    await action();
    this.#proxy.mend();
    await this.untilConnected();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy.close();
    await this.#hand?.disconnect();
    await this.client.close();
    await this.server.close();
  }

  async #takeControls(): Promise<OBSWebSocket> {
    const hand = new OBSWebSocket();
    hand.on('ConnectionClosed', () => (this.#hand = undefined));
    await hand.connect(this.obs.url, this.obs.password);
    return hand;
  }
}

const fenceScene = 'fences';
const fenceSource = 'fence';
const fenceOwner = `obs://source/${fenceScene}/${fenceSource}`;

function fenceUri(name: string): string {
  return `obs://filter/${fenceSource}/${encodeURIComponent(name)}`;
}
