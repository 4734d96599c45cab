import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { HubApiClient } from './hub-api-client.ts';

it('does not quote a token that no header can carry', async () => {
  const asked = new HubApiClient(new URL('http://127.0.0.1:7411'), 'two\nlines').ask('/api/servers', z.unknown());
  await expect(asked).rejects.toThrow('No hub answers at http://127.0.0.1:7411 (Headers.append: "Bearer …" is an');
});
