import { expect, it, vi } from 'vitest';
import { addedServer } from './requests.ts';

it('refuses an address with a password that URL.canParse does not know', () => {
  // Once optimised, that of Node 20 refuses addresses with letters such as é.
  const canParse = vi.spyOn(URL, 'canParse').mockReturnValue(false);
  const accepts = (url: string) => addedServer.safeParse({ id: 'a', url }).success;
  expect(accepts('https://é.example/mcp')).toBe(true);
  expect(accepts('https://ada:secret@é.example/mcp')).toBe(false);
  canParse.mockRestore();
});
