// A hub with a few notes that accepts access tokens of an issuer.
import type { IssuerEntry } from '@tidings/track';
import { onTestFinished } from 'vitest';
import { type HubWithNotes, hubWithNotes } from '../hub/hub-with-notes.ts';
import type { RunningHubOptions } from '../hub/running-hub.ts';
import { ScriptedIssuer } from '../support/counterpart/scripted-issuer.ts';

export const audience = 'https://tidings.example.com/mcp';

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export interface HubWithIssuer extends HubWithNotes {
  issuer: ScriptedIssuer;
  /** The status of a read of the first note. */
  read(this: void, token: string): Promise<number>;
}

/** Both are closed when the test has finished. */
export async function hubWithIssuer(
  entry: Partial<IssuerEntry> = {},
  { config, ...options }: Omit<RunningHubOptions, 'servers'> = {},
): Promise<HubWithIssuer> {
  const issuer = await ScriptedIssuer.start();
  onTestFinished(() => issuer[Symbol.asyncDispose]());
  const oauth = { issuers: [{ issuer: issuer.issuer, audience, ...entry }] };
  const started = await hubWithNotes({ ...options, config: { oauth, ...config } });
  onTestFinished(() => started[Symbol.asyncDispose]());
  const read = async (token: string) => (await started.hub.get(notePath, bearer(token))).status;
  return { ...started, issuer, read };
}

export const notePath = '/resources/note%3A%2F%2Fa';
