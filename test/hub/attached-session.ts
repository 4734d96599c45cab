// Sessions of agents at a hub with notes: how tests attach them, and the line that they get.
import { eventually } from '@tidings/live/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { RealtimeServer } from '../support/counterpart/realtime-server.ts';
import { hubWithNotes } from './hub-with-notes.ts';
import type { RunningHub } from './running-hub.ts';

export const line = /^Resource note:\/\/a updated for MCP server notes at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const sessionSchema = z.looseObject({ id: z.string(), kind: z.string(), state: z.string(), messages: z.number() });
export const sessionsSchema = z.object({ sessions: z.array(sessionSchema) });
const env = { REALTIME_KEY: 'sk-test' };

export const open = (realtime?: RealtimeServer) =>
  hubWithNotes({ env, config: realtime ? { realtime: [realtime.url] } : {} });

export async function attach({ url }: RunningHub, body: object): Promise<z.infer<typeof sessionSchema>> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/api/sessions`, { method: 'POST', headers, body: JSON.stringify(body) });
  const json: unknown = await answer.json();
  expect(answer.status, JSON.stringify(json)).toBe(201);
  return sessionSchema.parse(json);
}

export const isAttached = (hub: RunningHub, id: string) =>
  eventually('the session to be attached', () => hub.hub.sessions.get(id).status().state === 'attached');
