import { ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/client';
import { type Caller, LiveError } from '@tidings/live';
import { describe, expect, it } from 'vitest';
import { asAnswered, capabilityRefusal, errorForCaller, missingIn } from './error-for-caller.ts';

const missingCapability = -32021;
const modern: Caller = { era: 'modern', transport: 'http' };
const legacy: Caller = { era: 'legacy', transport: 'http' };
const server = { id: 'notes' };
const missing = (data: unknown) => new ProtocolError(missingCapability, 'Missing', data);
/** The error of a read, which the connection has made of another one. */
const caused = (cause: unknown) => Object.assign(new LiveError('INTERNAL', 'x'), { cause });
const upstream = (era?: 'modern' | 'legacy') => {
  const status: Pick<Parameters<typeof asAnswered>[0], 'status'>['status'] = () =>
    Object.assign(Object.create(null), { era });
  return { status };
};

it.each<[error: unknown, names: string[] | undefined]>([
  [missing({ requiredCapabilities: { elicitation: {}, sampling: {} } }), ['elicitation', 'sampling']],
  [missing({ requiredCapabilities: {} }), []],
  [missing({ requiredCapabilities: null }), []],
  [missing({ requiredCapabilities: 'x' }), []],
  [missing({}), []],
  [missing(undefined), []],
  [missing('x'), []],
  [new ProtocolError(-32603, 'x', { requiredCapabilities: { elicitation: {} } }), undefined],
  [new Error('x'), undefined],
  [Object.assign(new Error('x'), { code: missingCapability, data: {} }), undefined],
  [undefined, undefined],
])('%s reports %j as missing', (error, names) => {
  expect(missingIn(error)).toEqual(names);
});

describe('an error of a server', () => {
  it('passes with its code and data', () => {
    const error = new ProtocolError(-31999, 'Odd', { a: [1] });
    for (const caller of [modern, legacy])
      expect(errorForCaller(server, caller, error)).toMatchObject({
        code: -31999,
        message: 'Odd',
        data: { a: [1] },
        cause: error,
      });
  });

  it.each([new Error('x'), new LiveError('UNAVAILABLE', 'x'), 'x', null])('passes as it is: %s', (error) => {
    expect(errorForCaller(server, modern, error)).toBe(error);
  });

  it('about a missing capability has the code of the protocol for a modern caller', () => {
    const data = { requiredCapabilities: { elicitation: {}, roots: {} } };
    const error = errorForCaller(server, modern, missing(data));
    expect(error).toMatchObject({ code: missingCapability, data });
    expect(error).toMatchObject({
      message: expect.stringContaining('"notes" has to ask its client for this (elicitation, roots)'),
    });
    expect(capabilityRefusal(server, modern, data.requiredCapabilities)).toMatchObject({
      code: missingCapability,
      data,
    });
  });

  it('about a missing capability is unavailable to a 2025-era caller', () => {
    for (const data of [{ requiredCapabilities: { sampling: {} } }, {}]) {
      const error = errorForCaller(server, legacy, missing(data));
      expect(error).toBeInstanceOf(LiveError);
      expect(error).toMatchObject({ code: 'UNAVAILABLE' });
    }
    expect(errorForCaller(server, legacy, missing({}))).toMatchObject({
      message: expect.stringContaining('(something)'),
    });
    expect(capabilityRefusal(server, legacy, { sampling: {} })).toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('the error of a read', () => {
  const failed = (code: number) => caused(new ProtocolError(code, 'Gone', { uri: 'a' }));
  it.each<[code: number, server: 'modern' | 'legacy' | undefined, caller: Caller, passed: number]>([
    [-32002, 'legacy', modern, -32602],
    [-32002, 'modern', modern, -32602],
    [-32002, 'legacy', legacy, -32002],
    [-32602, 'modern', modern, -32602],
    [-32602, 'modern', legacy, -32002],
    // A 2025-era server means invalid params by it.
    [-32602, 'legacy', legacy, -32602],
    [-32602, undefined, legacy, -32602],
    [-32603, 'modern', legacy, -32603],
    [-31999, 'legacy', modern, -31999],
  ])('with the code %i of a %s server is for %o %i', (code, era, caller, passed) => {
    const error = failed(code);
    expect(asAnswered(upstream(era), caller, error)).toMatchObject({
      code: passed,
      message: 'Gone',
      data: { uri: 'a' },
      cause: error.cause,
    });
  });

  it.each([
    ['no error of the protocol', new LiveError('INTERNAL', 'x')],
    ['another cause', caused(new Error('y'))],
    ['an error that the SDK has taken apart', caused(new ResourceNotFoundError('a://b'))],
    ['an error of the protocol itself', new ProtocolError(-32002, 'x')],
    ['text', 'x'],
  ])('stays as it is with %s', (_, error) => {
    expect(asAnswered(upstream('modern'), legacy, error)).toBe(error);
  });
});
