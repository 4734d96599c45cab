import { basename, dirname, join } from 'node:path';
import { connectHttp, told } from '@tidings/live/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NatsServer, natsNeed } from '../support/service/nats.ts';
import { describeWith } from '../support/run/needs.ts';
import { Installation, nodeBinaries, nodesNeed, registryNeed } from './installation.ts';

const installTimeout = 300_000;

describeWith(registryNeed, 'the packed packages, installed in empty folders', () => {
  let installation: Installation;

  beforeAll(async () => {
    installation = await Installation.create();
  }, installTimeout);

  afterAll(() => installation.remove());

  test.each([
    { name: 'live', holds: ['dist/index.js', 'dist/index.d.ts', 'dist/testing.js'] },
    { name: 'client', holds: ['dist/index.js', 'dist/contract.js', 'dist/tell.d.ts'] },
    { name: 'store', holds: ['dist/index.js', 'dist/testing.d.ts'] },
    { name: 'schedules', holds: ['dist/index.js', 'dist/index.d.ts'] },
    { name: 'vcon', holds: ['dist/index.js', 'dist/index.d.ts'] },
    { name: 'obs', holds: ['dist/index.js', 'dist/index.d.ts'] },
    { name: 'bus', holds: ['dist/index.js', 'dist/index.d.ts'] },
    { name: 'track', holds: ['dist/index.js', 'dist/session.js', 'SPEC.md'] },
    { name: 'examples', holds: ['dist/counter.js', 'dist/files.js', 'dist/clock.d.ts'] },
    {
      name: 'hub',
      holds: [
        'bin/tidings.js',
        'dashboard/index.html',
        'dist/command/main.js',
        'dist/command/main.js.map',
        'dist/command/LICENSES.txt',
      ],
    },
  ] as const)('$name holds what is built, and nothing else', ({ name, holds }) => {
    const files = installation.files.get(name) ?? [];
    expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE', ...holds]));
    // test/publish/command-maps.test.ts checks the maps of the command's bundle.
    const modules = files.filter((path) => /^dist\/(?!command\/).*\.js$/.test(path));
    const unmapped = modules.filter((path) => !files.includes(`${path}.map`));
    expect(unmapped).toEqual([]);
    expect(files.filter((path) => /\.test\.|tsbuildinfo|^src\/|^test\//.test(path))).toEqual([]);
  });

  test.each(['live', 'client', 'store', 'track', 'schedules', 'vcon', 'obs', 'bus'])(
    'the types of %s resolve',
    async (name) => {
      expect(await installation.typeProblems(name)).toEqual([]);
    },
  );

  test('the kit uses the zod and SDK of the application', async () => {
    const { folder, packages } = await installation.installBeside(
      ['live', 'store'],
      ['zod@4.2.1', '@modelcontextprotocol/server@2'],
    );
    const versions = (name: string) => packages.filter((each) => each.startsWith(`${name}@`));
    expect(versions('zod')).toEqual(['zod@4.2.1']);
    expect(versions('@modelcontextprotocol/server')).toHaveLength(1);
    expect(await installation.firstLine(process.execPath, join(folder, 'weather.js'), '0')).toContain('is live at');
  });

  test('the client brings no database', async () => {
    const packages = await installation.wouldBring(['live', 'client']);
    expect(packages.filter((each) => each.startsWith('@tidings/client@'))).toHaveLength(1);
    expect(packages.filter((each) => /^(?:pg|kysely|@photostructure\/sqlite|prom-client)@/.test(each))).toEqual([]);
  });

  test.each(['modern', 'legacy'] as const)('npx tidings serves a %s client', async (era) => {
    const line = await installation.firstLine('npx', '--no', 'tidings', 'serve', 'counter', '--port', '0', '--json');
    const { url }: { url: string } = JSON.parse(line);
    const client = await connectHttp(url, era);
    await client.subscribe('counter://value');
    await client.call('increment');
    await told(client, 'counter://value');
    expect(await client.read('counter://value')).toBe('{"value":1}');
    await client.close();
  });

  test('npx tidings keeps schedules in a folder', async () => {
    const line = await installation.firstLine(
      ...(['npx', '--no', 'tidings', 'serve', 'schedules', '--port', '0', '--json', '--data', 'state'] as const),
    );
    const { url }: { url: string } = JSON.parse(line);
    const client = await connectHttp(url, 'legacy');
    await client.subscribe('schedules://packed');
    const wish = { message: 'hello', notification_topic: 'packed', cron: '0 0 1 1 *', timezone: 'UTC' };
    await client.call('schedule_cron_notification', wish);
    await told(client, 'schedules://packed');
    expect(JSON.parse(await client.read('schedules://packed'))).toMatchObject({ count: 1 });
    await client.close();
  });

  test("the README's server runs", async () => {
    const line = await installation.firstLine(process.execPath, 'weather.js', '0');
    const client = await connectHttp(/http:\S+/.exec(line)?.[0] ?? '', 'modern');
    await client.subscribe('weather://Oslo');
    await client.call('set_temperature', { city: 'Oslo', celsius: 21 });
    await told(client, 'weather://Oslo');
    expect(await client.read('weather://Oslo')).toBe('{"celsius":21}');
    await client.close();
  });

  test('the types that the README uses are found', async () => {
    expect(await installation.typeErrors('weather.ts')).toBe('');
  });

  describeWith(nodesNeed, 'on every version of Node', () => {
    test.each(Object.entries(nodeBinaries))('%s runs the examples', async (_name, node) => {
      const weather = await installation.firstLine(node, 'weather.js', '0');
      const folder = `tasks-${basename(dirname(dirname(node)))}`;
      const tasks = await installation.firstLine(node, 'node_modules/@tidings/examples/dist/tasks.js', folder, '0');
      const client = await connectHttp(/http:\S+/.exec(weather)?.[0] ?? '', 'modern');
      await client.subscribe('weather://Oslo');
      await client.call('set_temperature', { city: 'Oslo', celsius: 3 });
      await told(client, 'weather://Oslo');
      const other = await connectHttp(tasks, 'legacy');
      await other.subscribe('task://a');
      await other.call('add_task', { id: 'a', text: 'Run' });
      await told(other, 'task://a');
      expect(JSON.parse(await other.read('task://a'))).toMatchObject({ text: 'Run' });
      await client.close();
      await other.close();
    });

    test(
      'npm i -g tidings: the hub and its page run with each of them, without other packages of ours',
      async () => {
        for (const [name, node] of Object.entries(nodeBinaries)) {
          const data = join(installation.folder, `global-${basename(dirname(dirname(node)))}`);
          const line = await installation.firstLine(
            node,
            installation.program,
            'up',
            '--port',
            '0',
            '--json',
            '--data',
            data,
          );
          const { url }: { url: string } = JSON.parse(line);
          const page = await fetch(url);
          expect([name, page.status, page.headers.get('content-type')]).toEqual([
            name,
            200,
            expect.stringContaining('html'),
          ]);
          const client = await connectHttp(`${url}/mcp`, 'modern');
          expect(await client.listAll()).toContain('vcon://v1/vcons/recent');
          await client.close();
        }
      },
      installTimeout,
    );

    describeWith(natsNeed, 'with NATS', () => {
      test.each(Object.entries(nodeBinaries))('%s sends changes over the bus', async (_name, node) => {
        await using nats = await NatsServer.start();
        expect(await installation.firstLine(node, 'bus.js', nats.url)).toBe('note://a');
      });
    });
  });
});
