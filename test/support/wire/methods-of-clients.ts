// The methods that clients may send: those in the SDK's schemas of both eras, and others named in this project's
// sources.
import { readFileSync, readdirSync } from 'node:fs';
import { specTypeSchemas } from '@modelcontextprotocol/client';
import { z } from 'zod';

const withMethod = z.object({ shape: z.object({ method: z.object({ value: z.string() }) }) });
/** The methods that servers send. */
const ofServers = new Set(['elicitation/create', 'roots/list', 'sampling/createMessage']);
const inSource = /'((?:completion|logging|prompts|resources|server|subscriptions|tasks|tools)\/[a-zA-Z/]+)'/g;
const folders = ['../../../packages/live/src/', '../../../packages/hub/src/gateway/'];

export function methodsOfClients(): string[] {
  const known = Object.entries(specTypeSchemas).flatMap(([name, schema]) => {
    const found = name.endsWith('Request') ? withMethod.safeParse(schema).data : undefined;
    return found ? [found.shape.method.value] : [];
  });
  const named = folders.flatMap((path) => {
    const folder = new URL(path, import.meta.url);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing'))
      .flatMap((file) =>
        Array.from(readFileSync(new URL(file, folder), 'utf8').matchAll(inSource), ([, each]) => each),
      );
  });
  const all = new Set([...known, ...named.filter((method) => method !== undefined)]);
  return [...all].filter((method) => !ofServers.has(method)).toSorted();
}
