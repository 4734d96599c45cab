// Vitest's setup file: restores Node's `Request` and `Response` after each file, because Hono replaces them and the
// files of a worker share their globals.
import { afterAll } from 'vitest';

const { Request, Response } = globalThis;

afterAll(() => {
  Object.assign(globalThis, { Request, Response });
});
