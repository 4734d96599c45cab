// Sends one HTTP case and returns its result.
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { type HttpCase, bytesOf } from '../generate/http-case.ts';

export interface Answer {
  /** `silent` is a finding: neither a response nor a closed connection in time. */
  ending: 'answered' | 'closed' | 'left' | 'silent';
  /** The statuses of all responses; a damaged request may get several. */
  statuses: number[];
  contentType: string;
  sessionIds: string[];
  body: Buffer;
}

const boundMs = 10_000;
const patienceMs = 300;
const nothing: Answer = { ending: 'closed', statuses: [], contentType: '', sessionIds: [], body: Buffer.alloc(0) };
/** The beginning of a stream that has no end. */
const acknowledged = 'notifications/subscriptions/acknowledged';

export class HttpSender {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
  }

  send(each: HttpCase): Promise<Answer> {
    return each.raw !== undefined || each.manner.startsWith('leaves') ? this.#sendBytes(each) : this.#request(each);
  }

  close(): void {
    this.#agent.destroy();
  }

  #request({ verb, path, headers, body, manner }: HttpCase): Promise<Answer> {
    return new Promise((resolve) => {
      const length = verb === 'POST' || body.length > 0 ? [['Content-Length', String(body.length)]] : [];
      const outgoing = request({
        port: this.#port,
        host: '127.0.0.1',
        agent: this.#agent,
        method: verb,
        path,
        headers: [...headers, ...length].flat(),
      });
      const finish = (answer: Answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      const timer = setTimeout(() => {
        outgoing.destroy();
        finish({ ...nothing, ending: 'silent' });
      }, boundMs);
      outgoing.on('response', (response) => receive(response, verb, finish));
      outgoing.on('upgrade', (response, socket) => {
        socket.destroy();
        finish({ ...nothing, ending: 'answered', statuses: [response.statusCode ?? 0] });
      });
      // Without a response, an error is the server closing the connection.
      outgoing.on('error', () => finish(nothing));
      if (manner === 'drips its body') {
        outgoing.write(body.subarray(0, body.length / 2), () => outgoing.end(body.subarray(body.length / 2)));
      } else {
        outgoing.end(body);
      }
    });
  }

  #sendBytes(each: HttpCase): Promise<Answer> {
    const bytes = bytesOf(each);
    const { manner, raw } = each;
    return new Promise((resolve) => {
      const socket = connect(this.#port, '127.0.0.1');
      const chunks: Buffer[] = [];
      const answer = (ending: Answer['ending']): Answer => parseRaw(Buffer.concat(chunks), ending);
      // A client without a response disconnects in the end, which the server has to notice.
      const patience = setTimeout(() => socket.end(), patienceMs);
      const timer = setTimeout(() => {
        resolve(answer('silent'));
        socket.destroy();
      }, boundMs);
      socket.on('data', (chunk) => {
        chunks.push(chunk);
        if (chunk.includes(acknowledged)) socket.destroy();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearTimeout(patience);
        clearTimeout(timer);
        resolve(answer(manner.startsWith('leaves') ? 'left' : chunks.length > 0 ? 'answered' : 'closed'));
      });
      if (manner === 'leaves in the middle') {
        socket.write(bytes.subarray(0, bytes.length - (each.body.length >> 1) - 1), () => socket.destroy());
      } else if (manner === 'leaves after sending') {
        socket.write(bytes, () => socket.resetAndDestroy());
      } else if (raw?.isIncomplete) {
        socket.end(bytes);
      } else {
        socket.write(bytes);
      }
    });
  }
}

function receive(response: IncomingMessage, verb: string, finish: (answer: Answer) => void): void {
  const chunks: Buffer[] = [];
  const { 'content-type': contentType = '', 'mcp-session-id': sessionId = [] } = response.headers;
  const done = (ending: Answer['ending']) =>
    finish({
      ending,
      statuses: [response.statusCode ?? 0],
      contentType,
      sessionIds: [sessionId].flat(),
      body: Buffer.concat(chunks),
    });
  const isStream = contentType === 'text/event-stream';
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (isStream && chunk.includes(acknowledged)) {
      done('answered');
      response.destroy();
    }
  });
  response.on('end', () => done('answered'));
  response.on('error', () => done('closed'));
  // The stream of a session sends nothing until something changes.
  if (isStream && verb === 'GET') {
    done('answered');
    response.destroy();
  }
}

function parseRaw(bytes: Buffer, ending: Answer['ending']): Answer {
  const text = bytes.toString('latin1');
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
  const sessionIds = [...text.matchAll(/^mcp-session-id: (\S+)/gim)].map(([, id = '']) => id);
  return { ending, statuses, contentType: 'message/http', sessionIds, body: bytes };
}
