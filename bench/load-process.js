// The clients of one server in a separate process, so that their CPU time is not counted as the server's.
import { answerCalls } from './calls.js';
import { LoadListeners } from './load/listeners.js';
import { readMany } from './load/readers.js';

const listeners = new LoadListeners();

answerCalls({
  open: ({ url, interests }) => listeners.open(url, interests),
  expect: ({ items, times }) => listeners.expect(items, times),
  delivered: () => listeners.delivered(),
  pause: () => listeners.pause(),
  resumeUntil: (total) => listeners.resumeUntil(total),
  read: ({ url, reads }) => readMany(url, reads),
});
