import { describe, expect, it } from 'vitest';
import { wordsOf } from './criteria.ts';
import { beginningOf, snippetsOf } from './snippet.ts';

const dialog = (...bodies: string[]) => ({ dialog: bodies.map((body) => ({ type: 'text', body, encoding: 'none' })) });

describe('the snippets of a document', () => {
  it('mark each match in its place', () => {
    const document = { subject: 'Invoices', ...dialog('Hello', 'About the  invoice,\nagain the INVOICE.') };
    expect(snippetsOf(document, wordsOf('invoice'))).toEqual([
      { where: 'subject', text: '**Invoices**' },
      { where: 'dialog/1', text: 'About the **invoice**, again the **INVOICE**.' },
    ]);
  });

  it('are at most two', () => {
    const found = snippetsOf(dialog('call', 'call', 'call'), wordsOf('call'));
    expect(found.map(({ where }) => where)).toEqual(['dialog/0', 'dialog/1']);
  });

  it('are cut out of a long text, but not within a character', () => {
    const far = '😀'.repeat(100);
    const [snippet] = snippetsOf(dialog(`${far} x call x ${far}`), wordsOf('call'));
    expect(snippet?.text).toMatch(/^…😀+ x \*\*call\*\* x 😀+…$/u);
    expect(snippet?.text.isWellFormed()).toBe(true);
  });

  it('mark neighbouring matches in a script without spaces as one', () => {
    const [snippet] = snippetsOf(dialog('我要发票吗'), wordsOf('发票'));
    expect(snippet?.text).toBe('我要**发票**吗');
  });

  it('are empty without a match', () => {
    expect(snippetsOf(dialog('Hello'), wordsOf('invoice'))).toEqual([]);
  });
});

describe('the beginning of a document', () => {
  it('is that of its first text that is not empty, without the subject', () => {
    expect(beginningOf({ subject: 'S', ...dialog(' ', 'Hello\n  there') })).toEqual([
      { where: 'dialog/1', text: 'Hello there' },
    ]);
    expect(beginningOf({ subject: 'S' })).toEqual([]);
  });

  it('is cut after 240 characters', () => {
    const [beginning] = beginningOf(dialog('x'.repeat(300)));
    expect(beginning?.text).toBe(`${'x'.repeat(240)}…`);
  });
});
