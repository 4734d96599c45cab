// A Node listener for a web-standard handler, with the steps of the SDK's own adapter: read the body as text, make a
// Request whose signal follows the connection, and write the response with backpressure.

export function nodeListener(handler) {
  return async (req, res) => {
    const gone = new AbortController();
    let isFinished = false;
    res.on('close', () => {
      if (!isFinished) gone.abort();
    });
    const response = await handler.fetch(await toRequest(req, gone.signal));
    res.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body !== null) await pump(response.body, res, gone.signal);
    isFinished = true;
    res.end();
  };
}

async function toRequest(req, signal) {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) headers.set(name, value);
  const decoder = new TextDecoder();
  let body = '';
  for await (const chunk of req) body += decoder.decode(chunk, { stream: true });
  return new Request(`http://${req.headers.host}${req.url}`, { method: req.method, headers, signal, body });
}

async function pump(body, res, signal) {
  let drained;
  res.on('drain', () => drained?.());
  const closed = new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
  try {
    for await (const chunk of body) {
      if (signal.aborted) break;
      if (!res.write(chunk)) {
        const room = new Promise((resolve) => {
          drained = resolve;
        });
        await Promise.race([room, closed]);
      }
    }
  } catch {
    // The body was cancelled because the client left.
  }
}
