import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineEnds } from './line-ends.ts';

it('every line end becomes a line feed, however the bytes are split', () => {
  const text = fc.array(fc.constantFrom('a', ':', '\r', '\n', '\r\n')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 30 })), (stream, cuts) => {
      const bytes = new TextEncoder().encode(stream);
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const lineEnds = new LineEnds();
      const passed = places.slice(1).map((end, index) => lineEnds.push(bytes.subarray(places[index], end)));
      expect(Buffer.concat(passed).toString()).toBe(stream.replaceAll(/\r\n?/g, '\n'));
    }),
  );
});
