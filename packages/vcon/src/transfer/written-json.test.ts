import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostLevels } from '../model/nesting.ts';
import { arrayNames } from '../model/vcon.ts';
import { writtenJson } from './written-json.ts';

const scanned = (text: string) => writtenJson(text, JSON.parse(text));
const inexact = '12345678901234567890';

describe('a number that would change when stored', () => {
  it.each([inexact, `{"a":${inexact}}`, `{"a": [1, ${inexact} ] , "b":"x"}`, `["\\"", ${inexact}]`])(
    'in %s',
    (text) => {
      expect(scanned(text).inexact).toEqual({ written: inexact, kept: '12345678901234567000' });
    },
  );

  it.each([`{"${inexact}":1}`, String.raw`["\\", "\"${inexact}", "\\\"${inexact}\\"]`])(
    'is not found in the string %s',
    (text) => {
      expect(scanned(text).inexact).toBeUndefined();
    },
  );
});

describe('the lists of a document', () => {
  it('keep their source text', () => {
    const parties = String.raw`[ {"name": "\u0041da \"]} \\", "n": 1.0}]`;
    const text = `{"uuid": "parties", "parties": ${parties}, "dialog":[],"other":[[1]], "analysis" : [{"dialog":[0]}] }`;
    expect(scanned(text).lists).toEqual({ parties, dialog: '[]', analysis: '[{"dialog":[0]}]' });
  });

  it.each([
    ['over several lines', '{"parties":[],\n"dialog":[]}'],
    ['with a name twice in one object', '{"parties":[{"name":"a","name":"b"}]}'],
    ['with a list twice', '{"parties":[1],"parties":null}'],
    ['with a list twice, once under an escaped name', String.raw`{"parties":[1],"p\u0061rties":[2]}`],
    ['with a number that cannot be kept', `{"parties":[${inexact}]}`],
    ['nested too deep', `{"parties":${'['.repeat(mostLevels)}${']'.repeat(mostLevels)}}`],
  ])('are serialised again in one %s', (_, text) => {
    expect(scanned(text).lists).toEqual({});
  });

  it('have the text of their values, with any content', () => {
    const lists = fc.record(Object.fromEntries(arrayNames.map((name) => [name, fc.array(fc.jsonValue())])));
    fc.assert(
      fc.property(lists, fc.jsonValue(), (document, other) => {
        const { lists: written } = scanned(JSON.stringify({ other, ...document }));
        for (const name of arrayNames) expect(written[name]).toBe(JSON.stringify(document[name]));
      }),
    );
  });
});
