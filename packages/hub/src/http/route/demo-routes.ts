// `/api/demo`: sample data for the built-in servers.
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Permissions } from '../../access/permissions.ts';
import { type SampleData, noSamples } from '../../demo/sample-data.ts';
import { assertWhole } from './assert-whole.ts';
import { json } from '../message/json.ts';

export function demoRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  demo: SampleData,
  permissionsFor: (req: HttpBindings['incoming']) => Permissions,
): void {
  app.get('/api/demo', (c) => {
    // The available samples depend on the configured servers, which a limited caller does not see.
    const { offers, isLoaded, isChanging } = permissionsFor(c.env.incoming).isWhole ? demo : noSamples;
    return json({ offers, loaded: isLoaded, changing: isChanging });
  });

  app.post('/api/demo', async (c) => {
    assertWhole(permissionsFor(c.env.incoming));
    return json({ loaded: await demo.load() });
  });
}
