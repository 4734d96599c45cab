// An allowed URI must be allowed in every way in which a server may read it. The programs below are real ones: Node's
// URL parser, its path normalisation for both systems, and single and double decoding.
import { posix, win32 } from 'node:path';
import { parsedUrl } from '@tidings/live/portable';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AllowList } from './allow-list.ts';
import { isAmbiguous, isPlain, readingsOf } from './unambiguous-uri.ts';

const opens = (allow: string | string[], uri: string) => new AllowList([allow].flat()).opens(uri);

describe('a pattern of allowed URIs', () => {
  it.each([
    'docs://corp/public/../private/salaries',
    'docs://corp/public/%2e%2e/private/salaries',
    'docs://corp/public/%2E./private/salaries',
    'docs://corp/public/%252e%252e/private/salaries',
    'docs://corp/public/%252e%252e%252fprivate/salaries',
    'docs://corp/public/..%2fprivate/salaries',
    'docs://corp/public/..%5cprivate/salaries',
    'docs://corp/public/..\\private\\salaries',
    'docs://corp/public/.\\..\\private',
    'docs://corp/public/./salaries',
    'docs://corp/public/..',
    'docs://corp/public/..?x',
    'docs://corp/public/..#x',
    'docs://corp/public/..;a=b/private',
    'docs://corp/public/a?file=../private',
    'docs://corp/public/.%20./private',
    'docs://corp/public/．．/private',
    'docs://corp/public/%EF%BC%8E%EF%BC%8E/private',
    'docs://corp/public/.\u00AD./private',
    'docs://corp/public/.%E2%80%8B./private',
    'docs://corp/public/\uFEFF../private',
    'docs://corp/public/%c0%ae%c0%ae/private',
    'docs://corp/public/\t../private',
    'docs://corp/public/.\t./private',
    'docs://corp/public/.%09./private',
    'docs://corp/public/a%00.txt',
    'docs://corp/public/a b',
    'docs://corp/public/a%20',
    'docs://corp/public/100%',
    'docs://corp/public/%2525252e',
    ' docs://corp/public/a',
    'docs://corp/public/\uD800',
    `docs://corp/public/${'a'.repeat(10_000)}`,
  ])('does not open %s', (uri) => {
    expect(isAmbiguous(uri)).toBe(true);
    expect(opens(['docs://corp/public/**', ' docs://**'], uri)).toBe(false);
  });

  it.each([
    ['file:///srv/public/**', 'file:///srv/public/..\\private\\s.txt'],
    ['https://a.example/**', 'https://a.example/%2e%2e/x'],
    ['https://a.example*/**', 'https://a.example@b.example/x'],
    ['https://a.example*/**', 'https://a.example:443/x'],
    ['http://**', 'http://0x7f.1/x'],
    ['https://**', 'https://Example.com/a'],
    ['**', 'NOTE://a'],
    ['file://**', 'file://localhost/etc/passwd'],
    // A file name that ends in .txt only until its query or fragment is removed.
    ['file:///srv/*.txt', 'file:///srv/secret.key?.txt'],
    ['file:///srv/*.txt', 'file:///srv/secret.key#.txt'],
    // The same in characters that some servers normalise.
    ['file:///srv/*.txt', 'file:///srv/secret.key%EF%BC%9F.txt'],
    ['docs://corp/*', 'docs://corp/private\uFF0Fsalaries'],
    ['docs://corp/*', 'docs://corp/private%EF%BC%8Fsalaries'],
    ['file:///srv/*.txt', 'file:///srv/secret.key%23.txt'],
    // One star matches no slash, in any spelling.
    ['docs://corp/*/readme', 'docs://corp/a%2Fb/readme'],
    ['docs://corp/*/readme', 'docs://corp/a%252Fb/readme'],
    ['docs://corp/*/readme', 'docs://corp//readme'],
    // Many servers ignore a slash at the end.
    ['vcon://v1/vcons/recent/*', 'vcon://v1/vcons/recent/'],
    ['docs://corp/public/**', 'docs://corp/public/'],
  ])('%s does not open %s', (allow, uri) => {
    expect(opens(allow, uri)).toBe(false);
  });

  it.each([
    ['docs://corp/public/**', 'docs://corp/public/a/b.txt'],
    ['docs://corp/public/**', 'docs://corp/public/..a/.hidden/b..c'],
    ['docs://corp/public/**', 'docs://corp/public//a'],
    ['obs://scene/*', 'obs://scene/My%20Scene'],
    ['obs://scene/My%20Scene', 'obs://scene/My%20Scene'],
    ['obs://scene/What%3F', 'obs://scene/What%3F'],
    ['obs://**', 'obs://source/A%2FB/x'],
    ['obs://**', 'obs://scene/100%25'],
    ['note://*', 'note://caf%C3%A9'],
    ['note://café', 'note://café'],
    ['db://query?table=public_*', 'db://query?table=public_names'],
    ['postgres://me@host:5432/db/*', 'postgres://me@host:5432/db/names'],
    ['proxy://get/http%3A%2F%2Fx%2F*', 'proxy://get/http%3A%2F%2Fx%2Fa'],
    ['https://example.com', 'https://example.com'],
    ['file:///**', 'file:///'],
    ['urn:isbn:*', 'urn:isbn:0451450523'],
    ['timezones://valid', 'timezones://valid'],
    ['vcon://v1/vcons/**', 'vcon://v1/vcons/01928e10-0000-8000-8000-000000000001/dialog/0'],
  ])('%s opens %s', (allow, uri) => {
    expect(opens(allow, uri)).toBe(true);
  });

  it('is compared with the URI as it is spelled', () => {
    expect(opens('note://a', 'NOTE://a')).toBe(false);
    expect(opens('note://a', 'note://%61')).toBe(false);
    expect(opens([], 'note://a')).toBe(false);
  });

  it('permits nothing if the pattern is ambiguous', () => {
    expect(opens('docs://corp/public/../**', 'docs://corp/public/../a')).toBe(false);
  });
});

// A simple form of the property below.

const names = ['public', 'private', 'a', 'b.txt', 'A', 'é'];
const tricks = [
  '..',
  '.',
  '%2e%2e',
  '%2E.',
  '%252e%252e',
  '..;x',
  '',
  '%2f',
  '%252f',
  '%5c',
  '\\',
  '%00',
  '?',
  '#',
  '@',
];
const schemes = ['docs://corp/', 'docs://corp', 'file:///', 'https://h.example/', 'HTTPS://H.example', 'urn:', 'docs:'];
const separators = fc.constantFrom('/', '/', '/', '', '%2f', '//', '\\');
const piece = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...names) }, fc.constantFrom(...tricks));
const uris = fc
  .tuple(fc.constantFrom(...schemes), fc.array(fc.tuple(piece, separators), { maxLength: 6 }))
  .map(([scheme, pieces]) => scheme + pieces.map(([name, separator]) => name + separator).join(''));
/** Its scheme, its host and some of the rest, so that many patterns match it. */
const placeIn = (uri: string) => {
  const head = /^[^:]*:(?:\/\/[^/?#]*)?/.exec(uri)?.[0] ?? '';
  return fc.integer({ min: Math.min(head.length + 1, uri.length), max: uri.length });
};
const patternFor = (uri: string) =>
  fc
    .tuple(placeIn(uri), placeIn(uri), fc.constantFrom('*', '**', '**'))
    .map(([a, b, star]) => uri.slice(0, Math.min(a, b)) + star + uri.slice(Math.max(a, b)));

const decodedOnce = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
const twice = (text: string) => decodedOnce(decodedOnce(text));
const withPath = (text: string, change: (path: string) => string) => {
  const [, head = '', path = '', rest = ''] = /^([^:]*:(?:\/\/[^/?#]*)?)([^?#]*)(.*)$/s.exec(text) ?? [];
  return path === '' ? text : head + change(path) + rest;
};

/** On a drive: two slashes at the beginning would name another machine. */
const onWindows = (path: string) => win32.normalize(`C:${path}`).slice(2).replaceAll('\\', '/');

const programs: Record<string, (uri: string) => string> = {
  'nothing else': (uri) => uri,
  'new URL': (uri) => parsedUrl(uri)?.href ?? uri,
  'new URL, without query': (uri) => parsedUrl(uri)?.href.split(/[?#]/)[0] ?? uri,
  'new URL after decoding': (uri) => parsedUrl(decodedOnce(uri))?.href ?? uri,
  'decoding once': decodedOnce,
  'decoding twice': twice,
  'path.posix.normalize': (uri) => withPath(uri, (path) => posix.normalize(path)),
  'path.posix.normalize after decoding': (uri) => withPath(twice(uri), (path) => posix.normalize(path)),
  'path.win32.normalize': (uri) => withPath(uri, onWindows),
  'path.win32.normalize after decoding': (uri) => withPath(twice(uri), onWindows),
};

/** Compares without escapes, and with or without the slash that `new URL` adds after a host. */
function isWithin(pattern: string, text: string): boolean {
  const expression = twice(pattern)
    .replaceAll(/[$()+.?[\\\]^{|}]/g, String.raw`\$&`)
    .replaceAll('**', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '[^]*');
  const spellings = [twice(text), twice(text).replace(/^(https:\/\/[^/?#]+)\/$/, '$1')];
  return spellings.some((spelling) => new RegExp(`^${expression}$`).test(spelling));
}
/** A program with this interpretation of URIs interprets the pattern in the same way. */
const stars = (pattern: string) => pattern.replaceAll('**', 'STARSTAR').replaceAll('*', 'STAR');
const unstars = (pattern: string) => pattern.replaceAll(/STARSTAR/gi, '**').replaceAll(/STAR/gi, '*');
const readPattern = (program: (uri: string) => string, pattern: string) => unstars(program(stars(pattern)));

describe('an allowed URI', () => {
  it('is allowed in the interpretation of any program', () => {
    const seen = { allowed: 0, refusedThoughItMatches: 0 };
    fc.assert(
      fc.property(
        uris.chain((uri) => fc.tuple(fc.constant(uri), patternFor(uri))),
        ([uri, pattern]) => {
          if (!opens(pattern, uri)) {
            if (isWithin(pattern, uri)) seen.refusedThoughItMatches += 1;
            return;
          }
          seen.allowed += 1;
          for (const [name, program] of Object.entries(programs)) {
            const read = program(uri);
            const isAllowed = isWithin(pattern, read) || isWithin(readPattern(program, pattern), read);
            expect(isAllowed, `${uri} is ${read} after ${name}, which ${pattern} does not allow`).toBe(true);
          }
        },
      ),
      { numRuns: 5000 },
    );
    // Both cases occur often enough.
    expect(seen.allowed).toBeGreaterThan(250);
    expect(seen.refusedThoughItMatches).toBeGreaterThan(250);
  });
});

describe('the fast check for plain URIs', () => {
  it.each(['vcon://v1/vcons/recent', 'file:///srv/a.txt', 'note://a', 'docs://corp/..a/.hidden/b..c'])(
    'accepts %s',
    (uri) => {
      expect(isPlain(uri)).toBe(true);
    },
  );

  it('is not ambiguous, and has one reading', () => {
    let plain = 0;
    const scheme = fc.constantFrom('docs://', 'file:///', 'file://', 'https://', 'x:', 'X://', 'ws://', 'docs:///');
    const characters = fc.constantFrom(...'a A 0 . _ - ~ / ./ C: | % @ ? # ; = & , \\ é ١ \n'.split(' '), ' ');
    fc.assert(
      fc.property(
        scheme,
        fc.array(fc.oneof(fc.constantFrom('a', '/', '.'), characters), { maxLength: 12 }),
        (head, tail) => {
          const uri = head + tail.join('');
          if (!isPlain(uri)) return;
          plain += 1;
          expect(isAmbiguous(uri), uri).toBe(false);
          expect([...new Set(readingsOf(uri))], uri).toEqual([uri]);
        },
      ),
      { numRuns: 20_000 },
    );
    expect(plain).toBeGreaterThan(200);
  });
});
