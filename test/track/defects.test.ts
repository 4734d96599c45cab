// Six defects of earlier trackers.
import { eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { Consumer } from './consumer.ts';
import { ScriptedServer } from './scripted-server.ts';
import { tracked } from './tracked.ts';

const notes = { 'note://0': 'zero', 'note://1': 'one', 'note://2': 'two' };

describe('a tracker', () => {
  it('subscribes again after the process was replaced, however quickly', async () => {
    await using server = await ScriptedServer.create({ resources: notes, logRequests: true });
    await using t = await tracked([server.entry('s')]);
    const { pid = 0 } = await t.isLive('s');
    process.kill(pid, 'SIGKILL');
    await eventually('it to be subscribed twice', async () => {
      const requests = await server.requests();
      return requests.filter((line) => line === 'resources/subscribe note://1').length === 2;
    });
    await server.put('note://1', 'changed');
    await t.events.told('note://1');
  });

  it('never loses the last update of a burst', async () => {
    await using server = await ScriptedServer.create({ resources: notes });
    await using t = await tracked([server.entry('s')]);
    await t.isLive('s');
    const consumer = await Consumer.start(t.tracker, 's', t.events);
    for (let n = 0; n < 10; n += 1) {
      await server.put('note://0', `version ${n}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await consumer.agreesWith(() => server.resources);
  });

  it('lists a server without resources once per connection', async () => {
    await using server = await ScriptedServer.create({ resources: {}, capabilities: {}, logRequests: true });
    await using other = await ScriptedServer.create({ resources: notes });
    await using t = await tracked([server.entry('bare'), other.entry('s')], { settings: { pollListMs: 20 } });
    await eventually('unsupported', () => t.status('bare').state === 'unsupported');
    await t.isLive('s');
    await other.put('note://0', 'changed');
    await t.events.told('note://0');
    expect((await server.requests()).filter((line) => line.startsWith('resources/'))).toEqual([]);
    expect(t.events.all('resource_error')).toHaveLength(1);
    // It is listed again after a restart.
    await server.edit({ resources: notes, capabilities: { resources: { subscribe: true } } });
    process.kill(t.status('bare').pid ?? expect.unreachable(), 'SIGKILL');
    await t.isLive('bare');
    expect(t.status('bare').subscribed).toBe(3);
  });

  it('shows a server without resources as live, unless its entry requires resources', async () => {
    await using server = await ScriptedServer.create({ resources: {}, capabilities: { tools: {} } });
    await using t = await tracked([{ ...server.entry('tools'), isTrackedByDefault: true }]);
    await eventually('live', () => t.status('tools').state === 'live');
    expect(t.status('tools').detail).toBe('');
    expect(t.events.all('resource_error')).toEqual([]);
  });

  it('does not lose a list change that arrives during a refresh', async () => {
    await using server = await ScriptedServer.create({ resources: notes, listDelayMs: 200, logRequests: true });
    await using t = await tracked([server.entry('s')]);
    await t.isLive('s');
    // The first change begins a refresh, which already has its list when the second change arrives.
    await server.put('note://3', 'three');
    await eventually('a refresh to be under way', async () => {
      const requests = await server.requests();
      return requests.filter((line) => line === 'resources/list').length === 2;
    });
    await server.put('note://4', 'four');
    await eventually('both to be followed', () => t.status('s').subscribed === 5);
  });

  it('lists again after a refresh has failed', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      await using server = await ScriptedServer.create({ resources: notes, listFails: true });
      await using t = await tracked([server.entry('s')]);
      await eventually('the failure to be reported', () => t.events.all('resource_error').length > 0);
      expect(t.events.all('resource_error')[0]).toMatchObject({
        serverId: 's',
        reason: 'refresh',
        error: expect.stringContaining('The list is not available.'),
      });
      await server.edit({ listFails: false });
      await t.isLive('s');
      expect(t.status('s').connects).toBe(1);
      await server.put('note://0', 'changed');
      await t.events.told('note://0');
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });

  it('polls a resource whose subscription is refused, and subscribes to all others', async () => {
    await using server = await ScriptedServer.create({ resources: notes, refuse: ['note://0'] });
    const poll = { usualMs: 50, shortestMs: 50, longestMs: 50 };
    await using t = await tracked([server.entry('s')], { settings: { poll } });
    expect(await t.isLive('s')).toMatchObject({ subscribed: 2, polled: 1 });
    await eventually('the refusal to be reported', () => t.events.all('resource_error').length === 1);
    expect(t.events.all('resource_error')).toMatchObject([{ reason: 'subscribe', resourceUri: 'note://0' }]);
    await eventually('everything to be read once', () => t.status('s').hashed === 3);
    for (const uri of ['note://0', 'note://1', 'note://2']) await server.put(uri, 'changed');
    for (const uri of ['note://0', 'note://1', 'note://2']) await t.events.told(uri);
    // The refusal is reported once, not at every refresh.
    await server.put('note://3', 'new');
    await eventually('the new one', () => t.status('s').subscribed === 3);
    expect(t.events.all('resource_error')).toHaveLength(1);
  });
});
