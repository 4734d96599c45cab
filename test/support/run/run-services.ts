// Vitest's global setup: services that all test files of a run share. They run in Vitest's main process, start at the
// first HTTP request of a test, and end with the run.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { PackedPackages } from '../program/packed-packages.ts';
import { PostgresServer } from '../service/postgres.ts';
import { ProgramBundles } from '../program/program-bundles.ts';
import { servicesVariable } from './shared-services.ts';

export default async function startServices(): Promise<() => Promise<void>> {
  let postgres: Promise<PostgresServer> | undefined;
  let packages: Promise<PackedPackages> | undefined;
  let publishing: Promise<object> | undefined;
  let programs: Promise<ProgramBundles> | undefined;
  const answers: Record<string, (query: URLSearchParams) => Promise<object>> = {
    '/postgres': async () => ({ port: (await (postgres ??= PostgresServer.start())).port }),
    '/packages': async () => (await (packages ??= PackedPackages.pack())).contents,
    '/publishing': async () => (publishing ??= installPublishing()),
    '/program': async (query) => (await (programs ??= ProgramBundles.create())).bundle(query.get('file') ?? ''),
  };
  const services = createServer((req, res) => {
    // No keep-alive: a kept connection might be closed at the moment in which a test uses it again.
    res.setHeader('Connection', 'close');
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost');
    const answer = answers[pathname]?.(searchParams) ?? Promise.reject(new Error(`There is no ${pathname}.`));
    answer.then(
      (service) => res.end(JSON.stringify(service)),
      (error: unknown) => res.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => services.listen(0, '127.0.0.1', resolve));
  const address = services.address();
  if (address === null || typeof address === 'string') throw new Error('The test services have no port.');
  process.env[servicesVariable] = `http://127.0.0.1:${address.port}`;
  return async () => {
    services.closeAllConnections();
    services.close();
    await (await postgres)?.remove();
    await (await packages)?.remove();
    await (await programs)?.remove();
  };
}

/** Installs the tools of publish/, which are not part of the workspace. */
async function installPublishing(): Promise<object> {
  const tools = new URL('../../../publish/install-tools.js', import.meta.url);
  const install = `import(${JSON.stringify(tools.href)}).then(({ installTools }) => installTools())`;
  return promisify(execFile)(process.execPath, ['-e', install]);
}
