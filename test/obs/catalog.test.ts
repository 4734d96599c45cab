// Lists, templates, completion, and the full answers of tools.
import { Client } from '@modelcontextprotocol/client';
import { serveMemory } from '@tidings/live';
import { openObs } from '@tidings/obs';
import { eventually } from '@tidings/live/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeObs } from '../support/fake-obs/fake-obs.ts';
import { filter, scene, source } from './studio-case.ts';
import { silent } from './workbench.ts';

describe('the OBS server as seen by a client', () => {
  const obs = new FakeObs();
  const client = new Client({ name: 'test', version: '1.0.0' });
  let server: ReturnType<typeof openObs>;

  beforeAll(async () => {
    await obs.start();
    for (const [requestType, requestData] of [
      ['CreateScene', { sceneName: 'Chat & more' }],
      ['CreateInput', { sceneName: 'Scene', inputName: 'Mic', inputKind: 'pulse_input_capture' }],
      ['CreateInput', { sceneName: 'Chat & more', inputName: 'Cam', inputKind: 'color_source_v3' }],
      ['CreateSourceFilter', { sourceName: 'Mic', filterName: 'Gain', filterKind: 'gain_filter' }],
    ] as const) {
      obs.answer({ requestType, requestData });
    }
    server = openObs({ url: obs.url, password: obs.password, log: silent });
    await client.connect(serveMemory(server));
    await eventually('the studio', async () => (await client.listResources()).resources.length === 7);
  });

  afterAll(async () => {
    await client.close();
    await server.close();
    await obs.kill();
  });

  it('lists every resource under its OBS name, with a description and its type', async () => {
    const { resources } = await client.listResources();
    const listed = resources.map(({ uri, name, description, mimeType, _meta }) => [
      uri,
      name,
      description,
      mimeType,
      _meta?.['tidings/type'],
    ]);
    const json = 'application/json';
    const status = 'Whether OBS is connected, what is on air, what is being streamed and recorded.';
    expect(listed).toEqual([
      ['obs://status', 'OBS status', status, json, 'obs-status'],
      [scene('Scene'), 'Scene', 'Scene with Mic', json, 'obs-scene'],
      [scene('Chat & more'), 'Chat & more', 'Scene with Cam', json, 'obs-scene'],
      [source('Scene', 'Mic'), 'Mic', 'Source in "Scene"', json, 'obs-source'],
      [source('Chat & more', 'Cam'), 'Cam', 'Source in "Chat & more"', json, 'obs-source'],
      ['obs://audio-input/Mic', 'Mic', 'Audio input', json, 'obs-audio-input'],
      [filter('Mic', 'Gain'), 'Gain', 'Filter of "Mic": gain_filter', json, 'obs-filter'],
    ]);
  });

  it('reads a scene as JSON under the requested URI', async () => {
    for (const uri of [scene('Chat & more'), 'obs://scene/Chat%20%26%20more']) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toEqual([{ uri, mimeType: 'application/json', text: expect.any(String) }]);
      const [content] = contents;
      expect(JSON.parse(content && 'text' in content ? content.text : '')).toMatchObject({ name: 'Chat & more' });
    }
  });

  it('refuses a URI without a resource, with a reason', async () => {
    for (const [uri, why] of [
      ['obs://scene/Nowhere', 'OBS has no scene "Nowhere"'],
      ['obs://source/Scene/Nothing', 'Nothing'],
      ['obs://audio-input/Nothing', 'Nothing'],
      ['obs://filter/Mic/Nothing', 'Nothing'],
      ['obs://scene/%zz', 'escape'],
      ['obs://nonsense', 'No such resource'],
      ['other://scene/Scene', 'no "other:" resources'],
    ] as const) {
      await expect(client.readResource({ uri }), uri).rejects.toThrow(why);
    }
  });

  it('has a template for each kind', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'obs://scene/{scene}',
      'obs://source/{scene}/{source}',
      'obs://audio-input/{input}',
      'obs://filter/{source}/{filter}',
      'obs://media/{input}',
      'obs://preset/{preset}',
      'obs://screenshot/{source}{?width,height,format}',
      'obs://meters/{input}',
      'obs://stats{?every}',
    ]);
  });

  it.each([
    ['obs://scene/{scene}', 'scene', 'Ch', {}, ['Chat & more']],
    ['obs://source/{scene}/{source}', 'scene', '', {}, ['Scene', 'Chat & more']],
    ['obs://source/{scene}/{source}', 'source', '', { scene: 'Chat & more' }, ['Cam']],
    ['obs://source/{scene}/{source}', 'source', '', {}, ['Mic', 'Cam']],
    ['obs://audio-input/{input}', 'input', 'M', {}, ['Mic']],
    ['obs://filter/{source}/{filter}', 'source', '', {}, ['Mic']],
    ['obs://filter/{source}/{filter}', 'filter', 'G', { source: 'Mic' }, ['Gain']],
  ])('completes %s, %s from %j', async (uri, name, value, chosen, values) => {
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri },
      argument: { name, value },
      context: { arguments: chosen },
    });
    expect(new Set(completion.values)).toEqual(new Set(values));
  });

  it('answers a tool call with structured content and links to the changed resources', async () => {
    const args = { scene: 'Chat & more', source: 'Cam', visible: false };
    const { content, structuredContent } = await client.callTool({ name: 'set_source_visibility', arguments: args });
    expect(structuredContent).toMatchObject({
      success: true,
      visible: false,
      resources: [source('Chat & more', 'Cam'), scene('Chat & more')],
    });
    expect(content.slice(1)).toEqual([
      { type: 'resource_link', uri: source('Chat & more', 'Cam'), name: 'Cam', mimeType: 'application/json' },
      { type: 'resource_link', uri: scene('Chat & more'), name: 'Chat & more', mimeType: 'application/json' },
    ]);
  });

  it('answers a screenshot with an image', async () => {
    const { content, structuredContent } = await client.callTool({ name: 'take_screenshot', arguments: { width: 64 } });
    expect(content[0]).toMatchObject({ type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) });
    expect(content[1]).toMatchObject({ type: 'resource_link', uri: scene('Scene') });
    expect(structuredContent).toMatchObject({ source: 'Scene' });
  });

  it('every tool has a consistent name, a description and an output schema', async () => {
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(40);
    for (const { name, title, description, outputSchema } of tools) {
      expect(description, name).toBeTruthy();
      expect(name).toMatch(
        /^(get|set|list|create|add|rename|remove|start|stop|pause|resume|restart|play|seek|next|previous|save|restore|take|trigger|reconnect)_[a-z_]+$/,
      );
      expect(title, name).toBeTruthy();
      if (name !== 'take_screenshot') expect(outputSchema, name).toMatchObject({ required: ['success', 'resources'] });
    }
  });

  it('has prompts for streamers', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['whats_on_air', 'stream_health_check', 'set_up_scene']);
    const textOf = async (name: string, args = {}) =>
      JSON.stringify((await client.getPrompt({ name, arguments: args })).messages);
    for (const name of ['whats_on_air', 'stream_health_check']) {
      expect(await textOf(name)).toContain('programScene');
    }
    expect(await textOf('set_up_scene', { scene: 'Chat', purpose: 'chatting' })).toContain('for: chatting');
  });

  it('a failing tool returns an error with its code', async () => {
    const args = { scene: 'Nowhere' };
    const result = await client.callTool({ name: 'set_current_scene', arguments: args });
    expect(result).toMatchObject({ isError: true, _meta: { 'tidings/code': 'RESOURCE_NOT_FOUND' } });
  });
});
