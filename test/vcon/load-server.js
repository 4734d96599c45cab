// A vCon server on a data folder, in a process of its own: says its URL, then what it has to complain about.
import { createServer } from 'node:http';
import { httpEndpoint } from '@tidings/live';
import { openLibrary, vconServer } from '@tidings/vcon';

const complain = (fields, message) => process.send({ complaint: `${message} ${fields.error ?? ''}` });
const server = vconServer(await openLibrary(process.argv[2]), { log: { warn: complain, error: complain } });
const endpoint = httpEndpoint(server);
// Connections are not closed for being idle: a client whose process is busy would send on one that just was.
const http = createServer({ keepAliveTimeout: 600_000 }, (req, res) => void endpoint.handle(req, res));
http.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${http.address().port}/mcp` }));

process.on('disconnect', () => void close());

async function close() {
  await endpoint.close();
  http.close();
  http.closeAllConnections();
  await server.close();
}
