// Vitest's setup file: Hono puts its own `Request` and `Response` in the place of Node's, and the files of a worker share
// their globals. Each file begins with Node's.
import { afterAll } from 'vitest';

const { Request, Response } = globalThis;

afterAll(() => {
  Object.assign(globalThis, { Request, Response });
});
