// Inspects the body of a response on its way through, and reports its end. Uses one stream and no pipes, since every
// HTTP response of a session passes here.

/**
 * A larger chunk is passed on in pieces: it may hold a thousand messages, and other work must get a turn between them.
 */
const pieceBytes = 16 * 1024;

export interface BodyPassage {
  /**
   * Returns the bytes to pass on for this chunk; undefined to drop it; `last` ends the body after these bytes. If it
   * throws, the body fails.
   */
  pass?(this: void, chunk: Uint8Array): Uint8Array | { last: Uint8Array } | undefined;
  /** Resolves when more may be read. */
  rest?(this: void): Promise<void> | undefined;
  ended?(this: void): void;
}

interface PassedBody {
  response: Response;
  /** Ends the body from this side. */
  end(this: void): void;
}

export function passBody(response: Response, { pass = (chunk) => chunk, rest, ended }: BodyPassage): PassedBody {
  const source = response.body;
  if (source === null) {
    ended?.();
    return { response, end: () => undefined };
  }
  const reader = source.getReader();
  /** Ends the present wait for `rest`. */
  let wake = () => {};
  const cancel = async (reason?: unknown) => {
    wake();
    await reader.cancel(reason).catch(() => undefined);
  };
  const resting = () => {
    const waiting = rest?.();
    if (waiting === undefined) return undefined;
    return new Promise<void>((resolve) => {
      wake = resolve;
      void waiting.then(resolve);
    });
  };
  /** The part of the last chunk that was not passed on yet. */
  let left: Uint8Array | undefined;
  const read = async () => {
    const chunk = left ?? (await reader.read()).value;
    left = chunk !== undefined && chunk.length > pieceBytes ? chunk.subarray(pieceBytes) : undefined;
    return chunk?.subarray(0, pieceBytes);
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        await resting();
        for (let piece = await read(); piece !== undefined; piece = await read()) {
          const passed = pass(piece);
          if (passed instanceof Uint8Array) return controller.enqueue(passed);
          if (passed !== undefined) {
            controller.enqueue(passed.last);
            void cancel();
            break;
          }
          // Dropped pieces count for the rate limit, too.
          await resting();
        }
        controller.close();
      } catch (error) {
        controller.error(error);
        void cancel(error);
      }
      ended?.();
    },
    async cancel(reason) {
      ended?.();
      await cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return { response: new Response(body, { status, statusText, headers }), end: () => void cancel() };
}
