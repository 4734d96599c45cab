// The page stays current: after the hub is killed, and during changes by other clients.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestClient, connectHttp, eventually } from '@tidings/live/testing';
import { parseConfig } from '@tidings/track';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { TidingsProcess } from '../cli/tidings-process.ts';
import { freePort } from '../support/network/free-port.ts';
import { describeWith } from '../support/run/needs.ts';
import { serversSchema } from '../support/wire/strict-answers.ts';
import { chromiumNeed, launch, openPage } from './open-page.ts';

interface Up {
  url: string;
  port: string;
  hub: TidingsProcess;
}

interface UpOptions {
  /** Default: a free one. */
  port?: string;
  flags?: readonly string[];
}

async function up(data: string, { port, flags = [] }: UpOptions = {}): Promise<Up> {
  const at = port ?? String(await freePort());
  const hub = new TidingsProcess(['up', '--port', at, '--data', data, '--json', ...flags]);
  const { url }: { url: string } = JSON.parse(await hub.line());
  // A call waits a few seconds for a server that is not connected yet, which may not be enough on a busy machine.
  await eventually('the servers to be live', async () => {
    const { servers } = serversSchema.parse(await (await fetch(`${url}/api/servers`)).json());
    return servers.every(({ id, state }) => id === 'obs' || state === 'live');
  });
  return { hub, url, port: new URL(url).port };
}

async function folder(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'tidings-dashboard-'));
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }));
  return data;
}

async function createVcon(client: TestClient, subject: string): Promise<string> {
  const uuid = crypto.randomUUID();
  await client.call('vcon_create_vcon', { uuid, subject, parties: [{ name: 'Ada' }] });
  return uuid;
}

describeWith(chromiumNeed, 'the dashboard', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch();
  });

  afterAll(() => browser.close());

  it('shows a vCon and a paused schedule of another client', async () => {
    const { url } = await up(await folder());
    const client = await connectHttp(`${url}/mcp`, 'modern');
    await using opened = await openPage(browser, `${url}/`);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    // Sample schedules exist only in a demo, where notifications are not really sent, and the page says so.
    await page.getByText('Sample schedules come only with').waitFor();
    await page.getByRole('heading', { name: 'Connect OBS' }).waitFor();
    // The shown configuration keeps the built-in servers.
    const step = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Add a server of your own' }) });
    const [config = '', command] = await step.locator('pre').allInnerTexts();
    const { servers } = parseConfig(config, { file: 'mcp-servers.json', env: {} });
    expect(servers.map(({ id }) => id)).toEqual(['vcon', 'schedules', 'obs', 'notes']);
    // A file that is named with --config needs no consent.
    expect(command).toBe('tidings up --config config/mcp-servers.json');
    await page.getByRole('button', { name: 'Load sample data' }).click();
    await page.getByText(/^Loaded \d+ conversations\.$/).waitFor();

    const uuid = await createVcon(client, 'Created over MCP');
    await page.getByRole('link', { name: 'Resources', exact: true }).click();
    await page.getByRole('treeitem', { name: uuid }).waitFor();
    await page.getByRole('link', { name: 'Timeline', exact: true }).click();
    await page.getByText('vcon://v1/vcons/recent').first().waitFor();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page
      .getByText(/^Resource vcon:\/\/v1\/vcons\/recent updated for MCP server vcon/)
      .first()
      .waitFor();

    await client.call('schedules_schedule_cron_notification', {
      message: 'Happy new year',
      notification_topic: 'support',
      cron: '0 0 1 1 *',
      timezone: 'UTC',
    });
    await page.getByRole('link', { name: 'Resources', exact: true }).click();
    await page.getByRole('treeitem', { name: 'schedules://support' }).click();
    await page.getByText('"active"').waitFor();
    const { schedules }: { schedules: { schedule_id: string }[] } = JSON.parse(
      await client.read('schedules://support'),
    );
    await client.call('schedules_pause_schedule', { schedule_id: schedules[0]?.schedule_id });
    await page.getByText('"paused"').waitFor();
    await page.getByRole('button', { name: 'What changed' }).click();
    await page.locator('.added', { hasText: '"paused"' }).waitFor();
    await client.close();
  });

  it('first shows changes in a demo, and offers no sample data', async () => {
    const { url } = await up(await folder(), { flags: ['--demo'] });
    await using opened = await openPage(browser, `${url}/`);
    const { page } = opened;
    await page.getByRole('region', { name: 'What is changing' }).getByRole('listitem').first().waitFor();
    await page.getByText('The demo is running').waitFor();
    expect(await page.getByRole('button', { name: 'Load sample data' }).count()).toBe(0);
  });

  it('continues after the hub is killed and started again', async () => {
    const data = await folder();
    const first = await up(data);
    await using opened = await openPage(browser, `${first.url}/#/timeline`, { mayBeAway: true });
    const { page } = opened;
    const before = await connectHttp(`${first.url}/mcp`, 'modern');
    const early = await createVcon(before, 'Before');
    await page.getByText(early).first().waitFor();
    await before.close();
    await first.hub.end('SIGKILL');
    await page.getByRole('status').filter({ hasText: 'Reconnecting' }).waitFor();

    const second = await up(data, { port: first.port });
    const after = await connectHttp(`${second.url}/mcp`, 'modern');
    const late = await createVcon(after, 'After');
    await page.getByRole('status').filter({ hasText: 'Reconnected' }).waitFor();
    // Both events, whether the page reconnected before or after the second one.
    await page.getByText(late).first().waitFor();
    await page.getByText(early).first().waitFor();
    await page.getByRole('link', { name: 'Resources', exact: true }).click();
    await page.getByRole('treeitem', { name: late }).waitFor();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page
      .getByText(/vcons\/recent updated for MCP server vcon/)
      .first()
      .waitFor();
    await after.close();
  });
});
