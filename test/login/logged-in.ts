// Logs in as a person does: with the command, and a fake browser that follows redirects with cookies.
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import type { UrlEntry } from '@tidings/track';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { HostedTidings } from '../cli/hosted-tidings.ts';
import type { Ended } from '../cli/tidings-process.ts';

export interface Machine {
  data: string;
  config: string;
  /** The flags that commands of this test need, after the server's id. */
  flags: string[];
}

const storedSchema = z.object({
  redirectUri: z.string(),
  tokens: z.object({ accessToken: z.string(), refreshToken: z.string().optional() }).optional(),
});

const mostPages = 20;

/** A data folder and a configuration. */
export async function machineWith(...servers: Partial<UrlEntry>[]): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-login-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [data, config] = [join(folder, 'data'), join(folder, 'servers.json')];
  await writeFile(config, JSON.stringify({ servers }));
  return { data, config, flags: ['--data', data, '--config', config] };
}

/** Runs `tidings login` until it shows the address. */
export async function startedLogin(machine: Machine, ...more: string[]) {
  const command = new HostedTidings(loginArguments(machine, ...more));
  return { command, address: await addressShown(command) };
}

export function loginArguments({ flags }: Machine, ...more: string[]): string[] {
  return ['login', 'notes', '--no-browser', ...flags, ...more];
}

export function addressShown(command: { readonly stderr: string }): Promise<string> {
  return eventually('the address', () => /^ {2}(http.+)$/m.exec(command.stderr)?.[1]);
}

export async function logIn(machine: Machine, ...more: string[]): Promise<Ended> {
  const { command, address } = await startedLogin(machine, ...more);
  await browse(address);
  return command.ended;
}

/** Opens an address; resolves with the URL and the text of the page that it leads to. */
export async function browse(address: string, until?: RegExp): Promise<{ url: string; text: string }> {
  const cookies = new Map<string, string>();
  let url = address;
  for (let pages = 0; pages < mostPages; pages += 1) {
    if (until?.test(url)) return { url, text: '' };
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const next = answer.headers.get('location');
    if (next === null) return { url, text: await answer.text() };
    url = new URL(next, url).href;
  }
  throw new Error(`It leads nowhere: ${url}`);
}

/** The stored form of the only login. */
export async function stored({ data }: Machine): Promise<z.infer<typeof storedSchema>> {
  const name = (await readdir(join(data, 'logins'))).find((each) => each.endsWith('.json')) ?? '';
  return storedSchema.parse(JSON.parse(await readFile(join(data, 'logins', name), 'utf8')));
}
