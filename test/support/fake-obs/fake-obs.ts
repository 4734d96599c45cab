// A fake OBS that speaks obs-websocket on a real socket and behaves like the real one. It can lose, delay and reorder
// messages, stop, and start again.
import { type WebSocket, WebSocketServer } from 'ws';
import { freePort } from '../network/free-port.ts';
import type { ObsUnderTest } from '../service/obs-under-test.ts';
import { FakeStudio, newContainer, newInput } from './fake-studio.ts';
import { intentOf } from './event-intent.ts';
import { filterRequests } from './filter-requests.ts';
import { inputRequests } from './input-requests.ts';
import { itemRequests } from './item-requests.ts';
import { outputRequests } from './output-requests.ts';
import { FakePeer, type Request, type Result } from './peer.ts';
import { programRequests } from './program-requests.ts';
import { Declined, type FakeWorld, type Handler, text } from './request.ts';
import { emitStorm } from './collection-storm.ts';
import { sceneRequests } from './scene-requests.ts';

export interface FakeObsOptions {
  password?: string;
  /** The version of obs-websocket. */
  version?: string;
}

/** Requests that were added after 5.0, with their versions. */
const since: Record<string, string> = { GetSourceFilterKindList: '5.4.0', GetCanvasList: '5.7.0' };

export class FakeObs implements ObsUnderTest {
  readonly password: string;
  version: string;
  /** Whether the events of a request are sent before or after its response. */
  order: 'events first' | 'answers first' = 'events first';
  /** The requests so far. */
  readonly requests: string[] = [];
  /** `greetings`: the number of connections. `subscriptions`: the event masks of Identify and Reidentify messages. */
  greetings = 0;
  readonly subscriptions: number[] = [];
  /** Whether inputs of the old scene collection stay listed after a change, as slow devices make OBS do. */
  keepsInputs = false;
  /** Events that are not sent. */
  loses: (type: string) => boolean = () => false;
  readonly #peers = new Set<FakePeer>();
  readonly #collections = new Map<string, FakeStudio>();
  readonly #handlers: Record<string, Handler> = {
    ...sceneRequests,
    ...itemRequests,
    ...inputRequests,
    ...filterRequests,
    ...outputRequests,
    ...programRequests((type, data) => this.emit(type, data)),
    GetVersion: () => ({
      obsVersion: '29.0.2',
      obsWebSocketVersion: this.version,
      rpcVersion: 1,
      availableRequests: Object.keys(this.#handlers).filter((name) => !this.#isTooNew(name)),
    }),
    GetSceneCollectionList: () => ({
      currentSceneCollectionName: this.#studio.collection,
      sceneCollections: [...this.#collections.keys()],
    }),
    SetCurrentSceneCollection: (_world, data) => {
      const name = text(data, 'sceneCollectionName');
      if (!this.#collections.has(name)) throw new Declined(600, '');
      if (name !== this.#studio.collection) void this.changeCollection(name);
    },
    CreateSceneCollection: (_world, data) => {
      const name = text(data, 'sceneCollectionName');
      if (this.#collections.has(name)) throw new Declined(601, '');
      void this.changeCollection(name);
    },
  };
  #studio = new FakeStudio('Untitled');
  #server: WebSocketServer | undefined;
  #port = 0;
  #held: Promise<void> | undefined;
  #mayReidentify: () => Promise<void> | undefined = () => undefined;
  #isChanging = false;
  #afterwards: (() => void)[] = [];

  constructor({ password = 'secret123', version = '5.1.0' }: FakeObsOptions = {}) {
    this.password = password;
    this.version = version;
    this.#collections.set('Untitled', this.#studio);
  }

  static async started(options?: FakeObsOptions): Promise<FakeObs> {
    const obs = new FakeObs(options);
    await obs.start();
    return obs;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`;
  }

  get studio(): FakeStudio {
    return this.#studio;
  }

  get clients(): number {
    return this.#peers.size;
  }

  /** Starts on its earlier port, if it had one. */
  async start(): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    const server = new WebSocketServer({
      host: '127.0.0.1',
      port: this.#port,
      handleProtocols: (offered) => (offered.has('obswebsocket.json') ? 'obswebsocket.json' : false),
    });
    this.#server = server;
    await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject));
    server.on('connection', (socket) => this.#connected(socket));
  }

  /** The fake keeps everything, so nothing has to be awaited. */
  saved(): Promise<void> {
    return Promise.resolve();
  }

  /** Ends connections without a closing handshake, as SIGKILL does. */
  async kill(): Promise<void> {
    for (const peer of this.#peers) peer.cut();
    await this.#stop();
  }

  /** Exits as on SIGINT: OBS removes everything before it announces its exit. */
  async exit(): Promise<void> {
    // The order of these events is not defined.
    for (const name of this.#studio.inputs.keys()) this.emit('InputRemoved', { inputName: name });
    for (const { name } of this.#studio.scenes) this.emit('SceneRemoved', { sceneName: name, isGroup: false });
    await Promise.all([...this.#peers].map((peer) => peer.delivered()));
    this.emit('ExitStarted');
    for (const peer of this.#peers) peer.close(1001);
    await this.#stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  /** Ends the connections, but not OBS. */
  drop(): void {
    for (const peer of this.#peers) peer.cut();
  }

  /** Delays all responses until released; requests are carried out nevertheless. */
  hold(): () => void {
    let release: () => void = () => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    return () => {
      this.#held = undefined;
      release();
    };
  }

  /**
   * Delays Reidentify requests until released, and then handles the newest first, because OBS handles messages in
   * several threads.
   */
  holdReidentify(): { readonly held: readonly unknown[]; release(this: void): Promise<void> } {
    const held: (() => void)[] = [];
    this.#mayReidentify = () => new Promise((resolve) => held.unshift(resolve));
    const release = async () => {
      this.#mayReidentify = () => undefined;
      for (const carryOut of held) {
        carryOut();
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    return { held, release };
  }

  emit(type: string, data?: object): void {
    if (this.loses(type)) return;
    for (const peer of this.#peers) peer.event(type, intentOf(type), data);
  }

  async changeCollection(name: string, duringChange?: () => Promise<void>): Promise<void> {
    const [old, next] = [this.#studio, this.#collections.get(name) ?? new FakeStudio(name)];
    this.#collections.set(name, next);
    this.emit('CurrentSceneCollectionChanging', { sceneCollectionName: old.collection });
    this.#isChanging = true;
    if (!this.#isAtLeast('5.3.0')) emitStorm(old, next, (type, data) => this.emit(type, data));
    this.#studio = new FakeStudio(name);
    this.#studio.scenes = [];
    await duringChange?.();
    if (this.keepsInputs) for (const [name, input] of old.inputs) next.inputs.set(name, { ...input, isGone: true });
    this.#studio = next;
    this.#isChanging = false;
    this.emit('CurrentSceneCollectionChanged', { sceneCollectionName: name });
  }

  /** Groups cannot be made by a request. */
  makeGroup(scene: string, name: string): void {
    const container = this.#studio.scene(scene);
    if (!container) throw new Error(`There is no scene ${scene}.`);
    this.#studio.groups.push(newContainer(name));
    this.emit('SceneCreated', { sceneName: name, isGroup: true });
    this.answer({ requestType: 'CreateSceneItem', requestData: { sceneName: scene, sourceName: name } });
  }

  removeGroup(scene: string, name: string): void {
    const item = this.#studio.scene(scene)?.items.find(({ source }) => source === name);
    if (!item) throw new Error(`There is no group ${name} in ${scene}.`);
    const filters = this.#studio.filters.get(name) ?? [];
    this.#studio.groups = this.#studio.groups.filter((group) => group.name !== name);
    this.#studio.filters.delete(name);
    this.answer({ requestType: 'RemoveSceneItem', requestData: { sceneName: scene, sceneItemId: item.id } });
    for (const { name: filterName } of filters) this.emit('SourceFilterRemoved', { sourceName: name, filterName });
    this.emit('SceneRemoved', { sceneName: name, isGroup: true });
  }

  repaint(): Promise<void> {
    // Another image: only its bytes matter.
    this.#studio.picture = `${this.#studio.picture.slice(0, -4)}AAAA`;
    return Promise.resolve();
  }

  /** Sends volume meters of a tone at half volume, 20 times a second as OBS does. */
  playTone(input: string): { end(): void } {
    const inputLevelsMul = [
      [0.35, 0.5, 0.5],
      [0.35, 0.5, 0.5],
    ];
    const levels = () => this.emit('InputVolumeMeters', { inputs: [{ inputName: input, inputLevelsMul }] });
    const timer = setInterval(levels, 50);
    return { end: () => clearInterval(timer) };
  }

  addGlobalInput(name: string): Promise<void> {
    const kind = 'alsa_input_capture';
    this.#studio.inputs.set(name, { ...newInput(kind, {}), isGlobal: true });
    this.emit('InputCreated', { inputName: name, inputKind: kind, inputSettings: {}, defaultInputSettings: {} });
    return Promise.resolve();
  }

  /** Carries out a request as if its user had done it in OBS's window. */
  answer({ requestType, requestData }: Request): Result {
    const handler = this.#handlers[requestType];
    if (!handler || this.#isTooNew(requestType)) return declined(new Declined(204, 'Your request type is not valid.'));
    if (this.#isChanging && this.#isAtLeast('5.3.0')) {
      return declined(new Declined(207, 'OBS is not ready to perform the request.'));
    }
    try {
      const responseData = handler(this.#world, requestData ?? {});
      return { requestStatus: { result: true, code: 100 }, ...(responseData && { responseData }) };
    } catch (error) {
      if (error instanceof Declined) return declined(error);
      throw error;
    }
  }

  async #stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  #connected(socket: WebSocket): void {
    this.greetings += 1;
    const peer = new FakePeer(socket, {
      password: this.password,
      version: this.version,
      handle: (request) => this.#handle(request),
      answered: () => this.#release(),
      mayReidentify: () => this.#mayReidentify(),
      identified: (subscriptions) => void this.subscriptions.push(subscriptions),
    });
    this.#peers.add(peer);
    socket.on('close', () => this.#peers.delete(peer));
  }

  async #handle(request: Request): Promise<Result> {
    this.requests.push(request.requestType);
    const result = this.answer(request);
    await this.#held;
    return result;
  }

  #release(): void {
    for (const task of this.#afterwards.splice(0)) task();
  }

  get #world(): FakeWorld {
    const later = (task: () => void) => {
      this.#afterwards.push(task);
      // A change in the window has no response to wait for.
      setImmediate(() => this.#release());
    };
    const emit = (type: string, data?: object) =>
      this.order === 'events first' ? this.emit(type, data) : later(() => this.emit(type, data));
    return { studio: this.#studio, tellsSettings: this.#isAtLeast('5.4.0'), emit, later };
  }

  #isTooNew(request: string): boolean {
    const first = since[request];
    return first !== undefined && !this.#isAtLeast(first);
  }

  #isAtLeast(version: string): boolean {
    return this.version.localeCompare(version, 'en', { numeric: true }) >= 0;
  }
}

function declined({ code, message }: Declined): Result {
  return { requestStatus: { result: false, code, comment: message } };
}
