// Watches the body of an answer on its way through, and tells when it has ended, however that happens.

export interface BodyWatcher {
  heard?(this: void, chunk: Uint8Array): void;
  ended(this: void): void;
}

export interface WatchedBody {
  response: Response;
  /** Ends it from this side. */
  end(this: void): void;
}

export function watchBody(response: Response, { heard, ended }: BodyWatcher): WatchedBody {
  const source = response.body;
  if (source === null) {
    ended();
    return { response, end: () => undefined };
  }
  const reader = source.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (!done) {
          heard?.(value);
          return controller.enqueue(value);
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      ended();
    },
    async cancel(reason) {
      ended();
      await reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return {
    response: new Response(body, { status, statusText, headers }),
    end: () => void reader.cancel().catch(() => undefined),
  };
}
