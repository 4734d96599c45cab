// The address to which the browser is sent after the user has logged in: a server on the loopback address, for one
// login.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpListener, whenClosed } from '@tidings/live/internal';
import { parsedUrl } from '@tidings/live/portable';
import { explainedListenError } from '../serve/listen-on.ts';

const path = '/callback';
const host = '127.0.0.1';

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
};

/** Handles the parameters of a callback. Resolves with the status and text of the page. */
type CallbackListener = (callback: URLSearchParams) => Promise<{ status: number; words: string }>;

interface CallbackServer {
  readonly redirectUri: string;
  /** Ends with the pages that are being sent; other connections are closed, as browsers keep some open in advance. */
  close(this: void): Promise<void>;
}

/** Listens on the first of these ports that is free; 0 means any port. */
export async function callbackServer(ports: readonly number[], listener: CallbackListener): Promise<CallbackServer> {
  const answering = new Set<Promise<void>>();
  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    const answered = answer(req, res, listener).finally(() => answering.delete(answered));
    answering.add(answered);
  };
  const server = new HttpListener(onRequest, { graceMs: 0 });
  const port = await listenOnOne(server, ports);
  return {
    redirectUri: `http://${host}:${port}${path}`,
    close: () => server.close(() => Promise.all(answering)),
  };
}

async function listenOnOne(server: HttpListener, [port = 0, ...rest]: readonly number[]): Promise<number> {
  try {
    return (await server.listen(port, host)).port;
  } catch (error) {
    if (rest.length === 0) throw explainedListenError(error, port, host);
    return listenOnOne(server, rest);
  }
}

/** Resolves when the page is sent, or cannot be. */
async function answer(req: IncomingMessage, res: ServerResponse, listener: CallbackListener): Promise<void> {
  const url = parsedUrl(`http://${host}${req.url ?? '/'}`);
  const { status, words } =
    req.method === 'GET' && url?.pathname === path
      ? await listener(url.searchParams)
      : { status: 404, words: 'There is nothing here.' };
  res.writeHead(status, { ...headers, Connection: 'close' });
  await new Promise<void>((resolve) => {
    whenClosed(res, resolve);
    res.end(page(words));
  });
}

function page(words: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tidings</title>
<h1>Tidings</h1>
<p>${words}</p></html>
`;
}
