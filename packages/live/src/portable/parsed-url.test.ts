import { expect, it } from 'vitest';
import { parsedUrl } from './parsed-url.ts';

it('parsedUrl parses URLs only, even after thousands of calls', () => {
  // Often enough for the function to be optimised.
  for (let n = 0; n < 20_000; n += 1) expect(parsedUrl('https://\u00e9.example/')?.hostname).toBe('xn--9ca.example');
  expect(parsedUrl('x', 'http://localhost')?.pathname).toBe('/x');
  for (const text of ['', 'no url', 'http://', '//[']) expect(parsedUrl(text)).toBeUndefined();
});
