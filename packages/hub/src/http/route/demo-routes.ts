// `/api/demo`: sample data for the built-in servers.
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { type SampleData, noSamples } from '../../demo/sample-data.ts';
import type { RequestCallers } from '../admission/request-callers.ts';
import { json } from '../message/json.ts';

interface DemoRoutesDeps {
  demo: SampleData;
  callers: Pick<RequestCallers, 'permissionsOf' | 'assertWhole'>;
}

export function demoRoutes(app: Hono<{ Bindings: HttpBindings }>, { demo, callers }: DemoRoutesDeps): void {
  app.get('/api/demo', (c) => {
    // The available samples depend on the configured servers, which a limited caller does not see.
    const { offers, isLoaded, isChanging } = callers.permissionsOf(c.env.incoming).isWhole ? demo : noSamples;
    return json({ offers, loaded: isLoaded, changing: isChanging });
  });

  app.post('/api/demo', async (c) => {
    callers.assertWhole(c.env.incoming);
    return json({ loaded: await demo.load() });
  });
}
