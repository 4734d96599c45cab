// Looks at the body of an answer on its way through, and tells when it has ended, however that happens.
// One stream and no pipes: over HTTP every request of a session takes this way.

export interface BodyPassage {
  /**
   * What to give on instead of this chunk; nothing to leave it out; `last` to end the body with it. What it throws
   * fails the body.
   */
  pass?(this: void, chunk: Uint8Array): Uint8Array | { last: Uint8Array } | undefined;
  /** Resolves when the next chunk may be read. */
  rest?(this: void): Promise<void> | undefined;
  ended?(this: void): void;
}

export interface PassedBody {
  response: Response;
  /** Ends it from this side. */
  end(this: void): void;
}

export function passBody(response: Response, { pass = (chunk) => chunk, rest, ended }: BodyPassage): PassedBody {
  const source = response.body;
  if (source === null) {
    ended?.();
    return { response, end: () => undefined };
  }
  const reader = source.getReader();
  const cancel = async (reason?: unknown) => {
    await reader.cancel(reason).catch(() => undefined);
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        await rest?.();
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
          const passed = pass(next.value);
          if (passed instanceof Uint8Array) return controller.enqueue(passed);
          if (passed !== undefined) {
            controller.enqueue(passed.last);
            void cancel();
            break;
          }
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
