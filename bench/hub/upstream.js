// The server behind both proxies, on stdio; with a port as its argument, over HTTP. The time of a change is that of the
// clock that all processes of a machine share.
import { liveServer, serveHttp, serveStdio } from '@tidings/live';
import { z } from 'zod';

const server = liveServer({ name: 'items', version: '1.0.0', windowMs: 0 });
let times = 0;
let changedAt = 0n;
const item = server.resource('item://{n}', { read: () => `${times}`, list: () => [{ n: '1' }] });
// After the response has been sent, so that only the update is measured.
server.tool('change_soon', {}, () => {
  setTimeout(() => {
    times += 1;
    changedAt = process.hrtime.bigint();
    item.changed({ n: '1' });
  }, 5);
  return 'soon';
});
server.tool('changed_at', {}, () => `${changedAt}`);
server.tool('watched', { input: z.object({ uri: z.string() }) }, () => `${server.stats().watched}`);
if (process.argv[2] === '--http') console.log((await serveHttp(server)).url);
else serveStdio(server);
