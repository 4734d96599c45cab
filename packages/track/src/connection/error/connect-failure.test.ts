import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import { describe, expect, it } from 'vitest';
import { ConnectFailure } from './connect-failure.ts';

const asIs = (text: string) => text;

describe('a failure to connect', () => {
  it('has the code of the system, however deep it is wrapped', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const wrapped = new Error('Version negotiation failed', {
      cause: new TypeError('fetch failed', { cause: refused }),
    });
    const failure = new ConnectFailure(wrapped, asIs);
    expect(failure.systemCode).toBe('ECONNREFUSED');
    expect(failure.httpStatus).toBeUndefined();
    expect(failure.message).toBe('Version negotiation failed (connect ECONNREFUSED 127.0.0.1:1)');
  });

  it('has the HTTP status, and no code of the SDK', () => {
    const answered = Object.assign(new Error('Unauthorized'), { status: 401, code: 'CLIENT_HTTP_UNAUTHORIZED' });
    const failure = new ConnectFailure(answered, asIs);
    expect(failure).toMatchObject({ httpStatus: 401, systemCode: undefined });
  });

  it.each(['EAI_AGAIN', 'ERR_SSL_WRONG_VERSION_NUMBER', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UND_ERR_CONNECT_TIMEOUT'])(
    'has the code %s of names, TLS and fetch, but none of the SDK or of a LiveError around it',
    (code) => {
      const cause = new TypeError('fetch failed', { cause: Object.assign(new Error('why'), { code }) });
      const around = new LiveError('UNAVAILABLE', 'away');
      around.cause = new SdkError(SdkErrorCode.EraNegotiationFailed, 'no era', { cause }, { cause });
      expect(new ConnectFailure(around, asIs).systemCode).toBe(code);
    },
  );

  it('contains no secret, also in its cause', () => {
    const failure = new ConnectFailure(new Error('key-1234 is not accepted'), (text) => text.replace('key-1234', '…'));
    expect(failure.message).toBe('… is not accepted');
    expect(failure.cause).toBeUndefined();
  });

  it('is described although its causes are cyclic', () => {
    const error = new Error('a circle');
    error.cause = error;
    expect(new ConnectFailure(error, asIs).systemCode).toBeUndefined();
  });
});
