import { describe, expect, it } from 'vitest';
import { shapeLimits } from '../../bounds/json-shape.ts';
import { EventScan } from './event-scan.ts';
import { LineEnds } from './line-ends.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const deep = '['.repeat(shapeLimits.levels + 1);

/** The result of the scan of a stream in pieces of this size. */
function scanned(text: string, size = Infinity, maxBytes = 1_000_000) {
  const scan = new EventScan(maxBytes);
  const lineEnds = new LineEnds();
  const all = bytes(text);
  for (let from = 0; from < all.length; from += Math.min(size, all.length)) {
    const fault = scan.push(lineEnds.push(all.subarray(from, from + size)));
    if (fault !== undefined) return { fault };
  }
  return { events: scan.events, held: scan.held };
}

describe.each([1, 2, 5, Infinity])('a stream in pieces of %s bytes', (size) => {
  it.each(['\n', '\r', '\r\n'])('has its events counted with the line end %j', (end) => {
    const text = ['event: message', 'data: {"a":1}', '', ': comment', '', 'data: 2', '', 'data: beg'].join(end);
    expect(scanned(text, size)).toEqual({ events: 2, held: 'data: beg'.length });
  });

  it('holds the lines of an event until it is complete, but no comments', () => {
    expect(scanned('data: 1\n: comment\nid: 7\n', size)).toEqual({ events: 0, held: 'data: 1id: 7'.length });
  });

  it.each(['\n', '\r', '\r\n'])('has its lines without data counted with the line end %j', (end) => {
    const scan = new EventScan(1_000_000);
    const lineEnds = new LineEnds();
    const all = bytes(['', ': comment', '', 'data: 1', '', ''].join(end));
    for (let from = 0; from < all.length; from += Math.min(size, all.length)) {
      scan.push(lineEnds.push(all.subarray(from, from + size)));
    }
    expect(scan).toMatchObject({ events: 1, idle: 3 });
  });

  it('is invalid with an event that is too large over all its lines', () => {
    const line = `data: ${'x'.repeat(60)}\n`;
    expect(scanned(`${line}\n${line}\n`, size, 100)).toEqual({ events: 2, held: 0 });
    expect(scanned(`${line}${line}\n`, size, 100)).toEqual({ fault: 'size' });
  });

  it('is invalid with data that is nested too deeply, in data fields only', () => {
    expect(scanned(`\ndata: ${deep}\n\n`, size)).toEqual({ fault: 'shape' });
    expect(scanned(`\nevent: ${deep}\n\n: ${deep}\n`, size)).toEqual({ events: 1, held: 0 });
  });

  it('has the levels of each event counted separately, over all of its data lines', () => {
    const half = `data: ${'['.repeat(shapeLimits.levels / 2 + 1)}\n`;
    expect(scanned(`\n${half}\n${half}\n`, size)).toEqual({ events: 2, held: 0 });
    expect(scanned(`\n${half}${half}\n`, size)).toEqual({ fault: 'shape' });
  });

  it('may begin with a byte order mark', () => {
    expect(scanned(`\uFEFFdata: ${deep}\n\n`, size)).toEqual({ fault: 'shape' });
  });
});
