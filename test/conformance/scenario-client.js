// The suite runs this command for each scenario; it forwards the scenario to the test, which acts as the client
// (scenario-calls.ts).
import { request } from 'node:http';

const {
  CONFORMANCE_CLIENT: client,
  MCP_CONFORMANCE_SCENARIO: name,
  MCP_CONFORMANCE_CONTEXT: context = '{}',
} = process.env;
const url = process.argv.at(-1);

const call = request(client, { method: 'POST' }, (answer) => {
  answer.pipe(process.stderr);
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
});
call.end(JSON.stringify({ name, url, context: JSON.parse(context) }));
