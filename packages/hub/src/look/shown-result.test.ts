import { describe, expect, it } from 'vitest';
import { screenOf } from '../terminal/screen.ts';
import { shownPrompt, shownResult } from './shown-result.ts';

const terminal = screenOf({ isTTY: true, columns: 80 }, { NO_COLOR: '1' });
const pipe = screenOf({}, {});
const text = (value: string) => ({ type: 'text' as const, text: value });

describe('the result of a tool', () => {
  const result = { content: [text('{"a":[1]}'), text('done'), text('7')] };

  it('has its JSON indented on a terminal, and nowhere else', () => {
    expect(shownResult(result, terminal)).toBe('{\n  "a": [\n    1\n  ]\n}\ndone\n7\n');
    expect(shownResult(result, pipe)).toBe('{"a":[1]}\ndone\n7\n');
  });

  it('of structured content alone is indented everywhere', () => {
    expect(shownResult({ content: [], structuredContent: { a: 1 } }, pipe)).toBe('{\n  "a": 1\n}\n');
  });
});

it('a prompt has the JSON of its messages indented on a terminal', () => {
  const prompt = { messages: [{ role: 'user' as const, content: text('{"a":1}') }] };
  expect(shownPrompt(prompt, terminal)).toBe('user: {\n  "a": 1\n}\n');
  expect(shownPrompt(prompt, pipe)).toBe('user: {"a":1}\n');
});
