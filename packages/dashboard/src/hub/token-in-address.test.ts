import { afterEach, describe, expect, it, vi } from 'vitest';
import { takeTokenFromAddress } from './token-in-address.ts';

/** Opens a page at this address and returns the results. */
function visit(hash: string) {
  const outcome = { address: `/${hash}`, posted: undefined as unknown };
  const element = () => ({ append: () => undefined });
  const form = { ...element(), method: '', action: '', fields: [] as object[] };
  const fields: { name?: string; value?: string }[] = [];
  vi.stubGlobal('location', { hash, pathname: '/' });
  vi.stubGlobal('history', { replaceState: (_state: unknown, _title: string, url: string) => (outcome.address = url) });
  vi.stubGlobal('document', {
    createElement: (tag: string) => {
      if (tag === 'input') return {};
      return Object.assign(form, {
        append: (field: object) => void fields.push(field),
        submit: () => {
          const [field] = fields;
          outcome.posted = { to: form.action, method: form.method, [field?.name ?? '']: field?.value };
        },
      });
    },
    body: element(),
  });
  takeTokenFromAddress();
  return outcome;
}

describe('a token after # in the address', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is posted to the login, and removed from the address', () => {
    expect(visit('#token=secret')).toEqual({
      address: '/',
      posted: { to: '/login', method: 'post', token: 'secret' },
    });
  });

  it.each([
    ['#token=a%2Fb', 'a/b'],
    ['#/servers&token=x&view=y', 'x'],
    ['#token=100%', '100%'],
  ])('is decoded: %s', (hash, token) => {
    expect(visit(hash).posted).toMatchObject({ token });
  });

  it.each(['', '#/servers', '#/servers?mytoken=x', '#token='])('is not in %j', (hash) => {
    expect(visit(hash)).toEqual({ address: `/${hash}`, posted: undefined });
  });
});
