// The end of a response, also where Node does not emit it: for one that waits behind another on its connection, and
// for one that ended before the listener was added.
import type { ServerResponse } from 'node:http';
import { wireOf } from './wire-of.ts';

const linked = new WeakSet<ServerResponse>();

/** Whether this response has been sent or its client has disconnected. */
export function isClosed(res: ServerResponse): boolean {
  return wireOf(res).destroyed || (!res.socket && res.req.socket.destroyed);
}

/** Calls `done` once, when this response has been sent or its client has disconnected; soon, if that was before. */
export function whenClosed(res: ServerResponse, done: () => void): void {
  // Node does not emit the event again.
  if (isClosed(res)) return queueMicrotask(done);
  closeWithConnection(res);
  res.once('close', done);
}

/** Lets a pipelined response that waits for another close with the connection, since Node does not. */
export function closeWithConnection(res: ServerResponse): void {
  if (res.socket || linked.has(res) || isClosed(res)) return;
  linked.add(res);
  const { socket } = res.req;
  const close = () => {
    res.destroy();
    res.emit('close');
  };
  // There is one listener for each response that waits on this connection, which is no leak.
  socket.setMaxListeners(0);
  socket.once('close', close);
  const unlink = () => socket.off('close', close);
  // When the response has its turn, Node emits the event itself.
  res.once('socket', unlink).once('close', unlink);
}
