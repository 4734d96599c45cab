// A resource that a user has read with the shared login of a server: once the server has a login for each user, the user
// is not told how often the resource changes for the operator.
import { type Era, eventually } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AskingClient } from '../hub/asking-client.ts';
import { type Person, hubWithUsers, tokens } from './hub-with-users.ts';

const uri = 'inbox://operator/1';
const eras: Era[] = ['modern', 'legacy'];
const cases = eras.flatMap((era) => [true, false].map((trackResources) => ({ era, trackResources })));

describe.each(cases)('changes at the login of the operator, with $era clients, tracked: $trackResources', (each) => {
  it('are not counted for a user who has read the resource with the shared login', async () => {
    const { era, trackResources } = each;
    const { hub, accounts, options, logIn, ask, connect } = await hubWithUsers({
      era,
      entry: { login: 'shared', trackResources },
    });
    const clientOf = (person: Person) =>
      AskingClient.connect(`${hub.url}/mcp`, era, { token: tokens[person], info: 'claude-code' });
    const hook = async () => {
      const body = { hook_event_name: 'UserPromptSubmit', session_id: 'one', prompt: 'x' };
      return (await ask('ada', '/hooks/claude-code', { body })).text();
    };
    await hook();
    const before = await clientOf('ada');
    await before.client.readResource({ uri });
    await (await connect('ada')).subscribe(uri);
    accounts.change('operator', 1);
    await eventually('the sentence of the hook', async () => (await hook()).includes(uri));
    expect(await before.call('accounts_whoami')).toContain(uri);
    // Its session ends with the edit.
    await before.client.close();

    const entry = accounts.entry({ login: 'per-user', trackResources });
    hub.hub.apply({ tokens: [], ...options.config, servers: [entry] });
    await hub.isLive('accounts');
    const operator = await clientOf('operator');
    onTestFinished(() => operator[Symbol.asyncDispose]());
    await operator.client.readResource({ uri });
    await (await connect('operator')).subscribe(uri);
    accounts.change('operator', 1);
    await eventually('the line of the operator', async () => (await operator.call('accounts_whoami')).includes(uri));

    await logIn('ada');
    const after = await clientOf('ada');
    onTestFinished(() => after[Symbol.asyncDispose]());
    expect(await after.call('accounts_whoami')).toBe('ada');
    expect(await hook()).not.toContain(uri);
  });
});
