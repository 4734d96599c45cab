// The end of an HTTP/1 response, also where Node does not emit it.
import type { ServerResponse } from 'node:http';

/** Calls `done` once, when this response has been sent or its client has disconnected; soon, if that was before. */
export function whenClosed(res: ServerResponse, done: () => void): void {
  const { socket } = res.req;
  // Node does not emit the event again.
  if (res.destroyed || (!res.socket && socket.destroyed)) return queueMicrotask(done);
  const finish = () => {
    socket.off('close', finish);
    res.off('close', finish);
    done();
  };
  res.once('close', finish);
  // A pipelined response that waits for another gets no close event of its own.
  if (res.socket) return;
  // There is one listener for each response that waits on this connection, which is no leak.
  socket.setMaxListeners(0);
  socket.once('close', finish);
}
