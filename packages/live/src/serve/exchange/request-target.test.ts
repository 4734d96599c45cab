import { expect, it } from 'vitest';
import { requestTarget } from './request-target.ts';

it.each([
  ['/mcp?a=b', '/mcp'],
  ['/x/../mcp', '/mcp'],
  ['/x/%2e%2e/mcp', '/mcp'],
  ['http://elsewhere.example/mcp', '/mcp'],
  ['//elsewhere.example/mcp', '//elsewhere.example/mcp'],
  ['*', undefined],
  ['http://[', undefined],
  ['', undefined],
])('%s is about %s', (url, pathname) => {
  expect(requestTarget({ url })?.pathname).toBe(pathname);
});
