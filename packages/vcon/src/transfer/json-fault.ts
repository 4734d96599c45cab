// The position at which text stops being JSON. The message of the JavaScript engine has it only in some versions, and
// quotes the input.

interface JsonFault {
  at: number;
  what: string;
}

const early = 'it ends too early (cut off?)';

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'end';

/** For text that JSON.parse has refused. */
export function jsonFault(text: string): JsonFault {
  const closing: ('}' | ']')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const wrong = (what = `unexpected ${shown(text, at)}`): JsonFault => ({ at, what });
  const afterValue = (): Expected => (closing.length === 0 ? 'end' : ', or end');

  for (;;) {
    at = matched(/[ \t\n\r]*/y, text, at) ?? at;
    const sign = text[at];
    if (sign === undefined) return wrong(early);
    if (expected === 'end') return wrong('more than one document: give each a line of its own in a .jsonl file');
    const isKey: boolean = expected === 'key' || expected === 'key or }';
    const isEnd: boolean = expected === ', or end' || expected === 'key or }' || expected === 'value or ]';
    if (isEnd && (sign === '}' || sign === ']')) {
      if (closing.at(-1) !== sign) return wrong();
      closing.pop();
      at += 1;
      expected = afterValue();
    } else if (expected === ', or end') {
      if (sign !== ',') return wrong();
      at += 1;
      expected = closing.at(-1) === '}' ? 'key' : 'value';
    } else if (expected === ':') {
      if (sign !== ':') return wrong();
      at += 1;
      expected = 'value';
    } else if (sign === '"') {
      const end = stringEnd(text, at);
      if ('what' in end) return end;
      ({ at } = end);
      expected = isKey ? ':' : afterValue();
    } else if (isKey) {
      return wrong();
    } else if (sign === '{' || sign === '[') {
      closing.push(sign === '{' ? '}' : ']');
      at += 1;
      expected = sign === '{' ? 'key or }' : 'value or ]';
    } else {
      const end = matched(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y, text, at);
      if (end === undefined) return wrong();
      at = end;
      expected = afterValue();
    }
  }
}

function stringEnd(text: string, start: number): { at: number } | JsonFault {
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') return { at: at + 1 };
    if (sign < ' ') return { at, what: `${shown(text, at)} within a string, which may not be closed` };
    if (sign !== '\\') continue;
    const end = matched(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y, text, at);
    if (end === undefined) return at + 6 > text.length ? cutOff(text) : { at, what: 'an unknown \\ sequence' };
    at = end - 1;
  }
  return cutOff(text);
}

function cutOff({ length: at }: string): JsonFault {
  return { at, what: early };
}

function matched(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function shown(text: string, at: number): string {
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (sign === '\n') return 'line break';
  return sign < ' ' ? 'control character' : sign;
}
