// The result of every tool that changes something: the new state, and links to the resources that show it.
import { toolResult } from '@tidings/live';
import { z } from 'zod';

export const changed = z.looseObject({
  success: z.literal(true),
  resources: z.array(z.string()).describe('What to read, or to subscribe to.'),
});

/** With links to the changed resources. */
export function answer(resources: readonly string[], details: Record<string, unknown>) {
  const whole = { success: true, ...details, resources };
  return toolResult({
    content: [{ type: 'text', text: JSON.stringify(whole) }, ...resources.map(linkTo)],
    structuredContent: whole,
  });
}

export function linkTo(uri: string) {
  const name = decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
  return { type: 'resource_link' as const, uri, name, mimeType: 'application/json' };
}
