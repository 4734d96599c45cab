// The counterpart of realtime sessions in its own process. It confirms each session, and records the arrival time of
// each message.
import { WebSocketServer } from 'ws';
import { answerCalls } from '../calls.js';

/** Pairs of a URI and the time at which a session was notified of it. */
const arrivals = [];

answerCalls({
  async listen() {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    server.on('connection', (socket) => {
      socket.send(JSON.stringify({ type: 'session.created', event_id: 'e1', session: { id: 's1' } }));
      socket.on('message', (data) => arrive(Buffer.from(data).toString()));
    });
    await new Promise((resolve) => server.once('listening', resolve));
    return `ws://127.0.0.1:${server.address().port}`;
  },

  begin() {
    arrivals.length = 0;
  },

  /** The arrivals, once there are this many messages. */
  async collect(messages) {
    while (arrivals.length < messages) await new Promise((resolve) => setTimeout(resolve, 10));
    if (arrivals.length > messages) throw new Error(`${arrivals.length} messages instead of ${messages}.`);
    return arrivals;
  },
});

function arrive(message) {
  const at = Number(process.hrtime.bigint()) / 1e6;
  const uri = /Resource (\S+) updated/.exec(message)?.[1];
  if (uri !== undefined) arrivals.push([uri, at]);
}
