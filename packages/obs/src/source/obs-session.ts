// One connection to obs-websocket, from its handshake to its end. The client library leaves requests pending when the
// socket closes; here each of them ends with a response, a timeout or the end of the connection.
import { type Clock, LiveError } from '@tidings/live';
import { every, withTimeout } from '@tidings/live/time';
import { type OBSRequestTypes, OBSWebSocket, OBSWebSocketError, type RequestBatchRequest } from 'obs-websocket-js/json';
import { z } from 'zod';
import { type ObsEvent, eventTypes, parseEvent } from '../model/event.ts';
import { ObsRefusal } from './refusal.ts';

export type RequestName = keyof OBSRequestTypes;
export type RequestData<Name extends RequestName> = OBSRequestTypes[Name];

export type BatchRequest = RequestBatchRequest;

interface ObsSessionOptions {
  url: string;
  password: string | undefined;
  clock: Clock;
  /** The time limit of a request. */
  timeoutMs: number;
  onEvent(this: void, event: ObsEvent): void;
  onMeters(this: void, levels: readonly InputLevels[]): void;
  /** Called once, when an open session ends. */
  onClose(this: void): void;
}

/** OBS refused the session, and would refuse the next one for the same reason. */
export class SessionRefused extends Error {
  override readonly name: string = 'SessionRefused';
}

/** The password is wrong, missing or cannot be read. */
export class PasswordRefused extends SessionRefused {
  override readonly name = 'PasswordRefused';
}

/** Scenes and their items, inputs, transitions, filters, outputs, media and the interface; nothing of high volume. */
const eventSubscriptions = 0b101_1111_1111;
/** The interval of requests that check the connection. */
const heartbeatMs = 15_000;
/** Close codes of obs-websocket. */
const authenticationFailed = 4009;
const unsupportedRpcVersion = 4010;
const sessionInvalidated = 4011;

const versions = z.object({
  obsVersion: z.string(),
  obsWebSocketVersion: z.string(),
  availableRequests: z.array(z.string()),
});

/** For each channel: the magnitude, the peak after the volume is applied, and before. */
const inputLevels = z.object({ inputName: z.string(), inputLevelsMul: z.array(z.array(z.number())) });
const meters = z.object({ inputs: z.array(inputLevels) });
export type InputLevels = z.infer<typeof inputLevels>;

const answer = z.object({
  requestStatus: z.object({ result: z.boolean(), code: z.number(), comment: z.string().optional() }),
  responseData: z.unknown().optional(),
});
export type ObsResponse = z.infer<typeof answer>;

export class ObsSession {
  readonly obsVersion: string;
  readonly websocketVersion: string;
  readonly #available: ReadonlySet<string>;
  readonly #wire: Wire;

  private constructor(wire: Wire, version: z.infer<typeof versions>) {
    this.#wire = wire;
    this.obsVersion = version.obsVersion;
    this.websocketVersion = version.obsWebSocketVersion;
    this.#available = new Set(version.availableRequests);
  }

  /** Rejects with SessionRefused, or the error of the connection. */
  static async open(options: ObsSessionOptions): Promise<ObsSession> {
    const wire = new Wire(options);
    try {
      await wire.connect();
      const session = new ObsSession(wire, versions.parse(await wire.call('GetVersion')));
      wire.reportClose();
      session.#startHeartbeat(options.clock);
      return session;
    } catch (error) {
      wire.end();
      throw error;
    }
  }

  can(request: RequestName): boolean {
    return this.#available.has(request);
  }

  /** Resolves with the response's data. Rejects with ObsRefusal, or UNAVAILABLE if there is no response. */
  async call<Name extends RequestName>(request: Name, data?: RequestData<Name>): Promise<unknown> {
    if (!this.can(request)) throw new ObsRefusal(request, 204, `OBS ${this.obsVersion} has no such request.`);
    return this.#wire.call(request, data);
  }

  /** Resolves with a response for each request, in their order. */
  batch(requests: readonly BatchRequest[]): Promise<ObsResponse[]> {
    return this.#wire.batch(requests);
  }

  /** Selects the high-volume events that OBS sends, in addition to the others. */
  async listen(bits: number): Promise<void> {
    await this.#wire.listen(bits);
  }

  close(): void {
    this.#wire.end();
  }

  /** A host that disappears does not close the socket: only a request without a response shows it. */
  #startHeartbeat(clock: Clock): void {
    const timer = every(clock, heartbeatMs, async () => {
      try {
        await this.#wire.call('GetStudioModeEnabled');
      } catch (error) {
        // A refusal is a response.
        if (error instanceof ObsRefusal) return;
        timer.cancel();
        this.close();
      }
    });
  }
}

class Wire {
  readonly #options: ObsSessionOptions;
  readonly #socket = new OBSWebSocket();
  /** Functions that end the pending requests. */
  readonly #waiting = new Set<(reason: unknown) => void>();
  #isEnded = false;
  #reports = false;

  constructor(options: ObsSessionOptions) {
    this.#options = options;
    for (const type of eventTypes) {
      this.#socket.on(type, (data?: unknown) => {
        const event = parseEvent(type, data);
        if (event && !this.#isEnded) options.onEvent(event);
      });
    }
    this.#socket.on('InputVolumeMeters', (data: unknown) => {
      const { data: levels } = meters.safeParse(data);
      if (levels && !this.#isEnded) options.onMeters(levels.inputs);
    });
    this.#socket.on('ConnectionClosed', () => this.#closed());
  }

  async connect(): Promise<void> {
    const { url, password } = this.#options;
    try {
      // Connecting ends by itself when the socket closes, and only its own error has the reason.
      const connected = this.#socket.connect(url, password, { eventSubscriptions, rpcVersion: 1 });
      await this.#inTime('its greeting', connected, false);
    } catch (error) {
      throw error instanceof OBSWebSocketError ? asRefusal(error, password) : error;
    }
  }

  async call<Name extends RequestName>(request: Name, data?: RequestData<Name>): Promise<unknown> {
    try {
      return await this.#inTime(request, this.#socket.call(request, data));
    } catch (error) {
      throw error instanceof OBSWebSocketError ? new ObsRefusal(request, error.code, error.message) : error;
    }
  }

  async listen(bits: number): Promise<void> {
    const listening = this.#socket.reidentify({ eventSubscriptions: eventSubscriptions | bits });
    await this.#inTime('Reidentify', listening);
  }

  async batch(requests: readonly BatchRequest[]): Promise<ObsResponse[]> {
    const answers: unknown = await this.#inTime('a batch', this.#socket.callBatch([...requests]));
    return z.array(answer).length(requests.length).parse(answers);
  }

  reportClose(): void {
    this.#reports = true;
    if (this.#isEnded) throw away();
  }

  end(): void {
    this.#closed();
    // Not awaited: the library waits for the peer to close too.
    this.#socket.disconnect().catch(() => undefined);
  }

  #closed(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const fail of this.#waiting) fail(away());
    if (this.#reports) this.#options.onClose();
  }

  #inTime<T>(what: string, answer: Promise<T>, endsWithSocket = true): Promise<T> {
    const { clock, timeoutMs } = this.#options;
    let fail: (reason: unknown) => void = () => undefined;
    const orClosed = new Promise<T>((resolve, reject) => {
      fail = reject;
      answer.then(resolve, reject);
    });
    if (endsWithSocket) this.#waiting.add(fail);
    const error = () => new LiveError('UNAVAILABLE', `OBS has not answered within ${timeoutMs} ms (${what}).`);
    return withTimeout(clock, timeoutMs, orClosed, error).finally(() => this.#waiting.delete(fail));
  }
}

function away(): LiveError {
  return new LiveError('UNAVAILABLE', 'The connection to OBS has ended: try again when obs://status says connected.');
}

function asRefusal(error: OBSWebSocketError, password: string | undefined): Error {
  if (error.code === authenticationFailed) {
    return new PasswordRefused(
      password === undefined ? 'OBS asks for a password.' : 'OBS does not accept the password.',
    );
  }
  if (error.code === unsupportedRpcVersion) {
    return new SessionRefused(
      'OBS does not support version 1 of the obs-websocket protocol: update OBS or Tidings, then call reconnect_obs.',
    );
  }
  if (error.code === sessionInvalidated) {
    return new SessionRefused('The session was ended in OBS: call reconnect_obs to connect again.');
  }
  return new Error(error.message || `closed with ${error.code}`);
}
