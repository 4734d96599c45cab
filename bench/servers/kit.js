// The kit as shipped, through its public API.
import { liveServer, serveHttp } from '@tidings/live';
import { nameOf, template, value } from '../items.js';
import { tools } from '../tools.js';

export async function serve({ windowMs, keepAliveMs }) {
  const server = liveServer({ name: 'bench', version: '1.0.0', limits: { streams: 100_000 } });
  const item = server.resource(template, {
    mimeType: 'application/json',
    read: () => value,
    ...(windowMs !== undefined && { windowMs }),
  });
  for (const { name, description, input } of tools) server.tool(name, { description, input }, () => 'done');
  const { url } = await serveHttp(server, keepAliveMs === undefined ? {} : { keepAliveMs });
  return {
    url,
    change: (number) => item.changed({ name: nameOf(number) }),
    framesWritten: () => server.stats().frames,
  };
}
