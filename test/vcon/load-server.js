// A vCon server on a data folder, in a process of its own: sends its URL, then its warnings and errors.
import { createServer } from 'node:http';
import { httpEndpoint } from '@tidings/live';
import { openLibrary, vconServer } from '@tidings/vcon';

const complain = (fields, message) => process.send({ complaint: `${message} ${fields.error ?? ''}` });
const server = vconServer(await openLibrary(process.argv[2]), { log: { warn: complain, error: complain } });
const endpoint = httpEndpoint(server);
// Keeps idle connections open: a busy client could otherwise send on one that has just been closed.
const http = createServer({ keepAliveTimeout: 600_000 }, (req, res) => void endpoint.handle(req, res));
http.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${http.address().port}/mcp` }));

process.on('disconnect', () => void close());

async function close() {
  await endpoint.close();
  http.close();
  http.closeAllConnections();
  await server.close();
}
