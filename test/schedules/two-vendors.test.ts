// Clients of two vendors, each with its own server process on one data folder: the MCP SDK's watches,
// the one inside OpenAI's Agents SDK acts. No model is called.
import { rm } from 'node:fs/promises';
import { MCPServerStdio } from '@openai/agents';
import { connectStdio, told } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { NtfyReceiver } from '../support/counterpart/ntfy-receiver.ts';
import { scheduleCommand, temporaryFolder } from './cells.ts';

const shared = 'schedules://shared-topic';

it('notifies the client of one vendor of a schedule created by the other', async () => {
  const data = await temporaryFolder();
  await using ntfy = await NtfyReceiver.start();
  const { command, args, env } = scheduleCommand(data, ntfy.url);
  const a = await connectStdio({ command, args, env }, 'modern');
  const b = new MCPServerStdio({ name: 'schedules', command, args, env });
  try {
    await b.connect();
    await a.subscribe(shared);
    await b.callTool('schedule_cron_notification', {
      message: 'From the other side',
      notification_topic: 'shared-topic',
      cron: '0 9 * * 1-5',
      timezone: 'Europe/Oslo',
    });
    await told(a, shared);
    expect(JSON.parse(await a.read(shared))).toMatchObject({
      count: 1,
      schedules: [{ notification_body: 'From the other side', cron_expression: '0 9 * * 1-5' }],
    });
  } finally {
    await a.close();
    await b.close();
    await rm(data, { recursive: true, maxRetries: 5 });
  }
});
