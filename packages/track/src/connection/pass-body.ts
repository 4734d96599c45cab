// Looks at the body of an answer on its way through, and tells when it has ended, however that happens.
// One stream and no pipes: over HTTP every request of a session takes this way.

export interface BodyPassage {
  /** What to give on instead of this chunk; nothing to leave it out. What it throws fails the body. */
  pass?(this: void, chunk: Uint8Array): Uint8Array | undefined;
  ended?(this: void): void;
}

export interface PassedBody {
  response: Response;
  /** Ends it from this side. */
  end(this: void): void;
}

export function passBody(response: Response, { pass = (chunk) => chunk, ended }: BodyPassage): PassedBody {
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
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
          const passed = pass(next.value);
          if (passed !== undefined) return controller.enqueue(passed);
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
