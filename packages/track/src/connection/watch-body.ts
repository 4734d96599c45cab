// Tells when the body of an answer has ended, however that happens.

export function watchBody(response: Response, ended: () => void): Response {
  const source = response.body;
  if (source === null) {
    ended();
    return response;
  }
  const reader = source.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (!done) return controller.enqueue(value);
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
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}
