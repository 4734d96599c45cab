// Sends the requests of which a session makes thousands, `resources/read` and, in the 2025 era, `resources/subscribe`,
// with Node's own client. Like all others, they are sent again if their connection is dead. If an answer is not plain
// (another status, a redirect, a long or compressed body), or a connection cannot be opened or breaks, the request is
// made again through the SDK, which knows what such a failure means for the session.
import { ProtocolError, type ReadResourceResult, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { BoundedSet } from '@tidings/live/portable';
import { withTimeout } from '@tidings/live/time';
import type { CopyBudget } from '../../../base/copy-budget.ts';
import type { CancellableRequest } from '../../../base/cancellable-request.ts';
import type { ServerLogin } from '../../../login/server-login.ts';
import { type AgreedFields, DirectHttpClient, type DirectRequest } from './direct-http-client.ts';
import type { PlainAnswer } from './direct-response.ts';
import { type Envelope, plainRead, plainReadResult } from './plain-read.ts';
import type { Resending } from '../resend/resending.ts';

interface PlainRequestsDeps {
  url: URL;
  /** The headers of the configuration. */
  headers: Record<string, string>;
  login: ServerLogin | undefined;
  clock: Clock;
  resending: Resending;
  /** The server has answered a request. */
  heard(this: void): void;
  /** Called with any other message in the body of an answer. */
  receive(this: void, message: unknown): void;
}

type Result = Readonly<Record<string, unknown>>;

/** The longest plain answer to a subscription; usually it has a few dozen bytes. */
const subscribedBytes = 16 * 1024;
/** After this many answers to subscriptions in a row that were not plain, the SDK makes the next ones. */
const mostRefused = 3;
/** For how many resources it is remembered that their content is not plain. */
const mostRemembered = 10_000;

export class PlainRequests {
  readonly #deps: PlainRequestsDeps;
  readonly #client: DirectHttpClient;
  /** URIs whose last content was not plain, or too long. */
  readonly #notPlain = new BoundedSet<string>(mostRemembered);
  #refused = 0;
  #isClosed = false;

  constructor(deps: PlainRequestsDeps) {
    this.#deps = deps;
    this.#client = new DirectHttpClient(deps);
  }

  /**
   * Resolves with true if the server accepted the subscription, false if the SDK has to request it. Rejects if the
   * server refuses.
   */
  async subscribe(uri: string, agreed: AgreedFields, answerMs: number): Promise<boolean> {
    if (this.#refused >= mostRefused || !this.#isUsable) return false;
    const request = { method: 'resources/subscribe', params: { uri }, mostBytes: subscribedBytes };
    const sent = this.#ask(request, agreed, answerMs, () => void (this.#refused += 1));
    const isSubscribed = (await sent.answer) !== undefined;
    if (isSubscribed) this.#refused = 0;
    return isSubscribed;
  }

  /**
   * The contents of a resource; undefined if the SDK has to read it. Rejects if the server refuses. `envelope`: for a
   * server of 2026-07-28.
   */
  read(
    uri: string,
    agreed: AgreedFields,
    envelope: Envelope | undefined,
    answerMs: number,
    copies: CopyBudget,
  ): CancellableRequest<ReadResourceResult | undefined> | undefined {
    const request = !this.#isUsable || this.#notPlain.has(uri) ? undefined : plainRead(uri, envelope);
    if (request === undefined) return undefined;
    const sent = this.#ask({ ...request, copies }, agreed, answerMs, () => void this.#notPlain.add(uri));
    const answer = sent.answer.then((result) => {
      const plain = result && plainReadResult(result);
      if (result && !plain) this.#notPlain.add(uri);
      return plain;
    });
    return { answer, cancel: sent.cancel };
  }

  /** Closes idle connections, which may be dead. */
  dropIdle(): void {
    this.#client.dropIdle();
  }

  close(): void {
    this.#isClosed = true;
    this.#client.close();
  }

  /** False while a login has to be renewed, which the SDK's fetch does. */
  get #isUsable(): boolean {
    return !this.#isClosed && this.#deps.login?.isReady !== false;
  }

  #ask(
    { copies, ...request }: DirectRequest & { copies?: CopyBudget },
    agreed: AgreedFields,
    answerMs: number,
    refused: () => void,
  ): CancellableRequest<Result | undefined> {
    const { clock, resending, heard } = this.#deps;
    let isGivenUp = false;
    const sent = resending.send((isAgain) => {
      // A request is sent again if its connection seems to be dead. Others may be as well.
      if (isAgain) this.dropIdle();
      return this.#client.send(request, agreed);
    }, copies);
    const giveUp = (reason?: unknown) => {
      isGivenUp = true;
      sent.cancel(reason);
    };
    const late = () => {
      const error = new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out', { timeout: answerMs });
      giveUp(error);
      return error;
    };
    const resultOf = (answer: PlainAnswer | undefined) => {
      heard();
      if (answer === undefined) refused();
      else if ('error' in answer)
        throw ProtocolError.fromError(answer.error.code, answer.error.message, answer.error.data);
      return answer?.result;
    };
    const failed = (error: unknown) => {
      if (isGivenUp) throw error;
      return undefined;
    };
    const answer = withTimeout(clock, answerMs, sent.answer, late).then(resultOf, failed);
    return { answer, cancel: giveUp };
  }
}
