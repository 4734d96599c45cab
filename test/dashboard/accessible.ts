// Requirements of every view: no violation found by axe, and no wider than the screen.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { z } from 'zod';

const violationsSchema = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});

export const phone = { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true };

export async function expectAccessible(page: Page, what: string): Promise<void> {
  const found: unknown = await page.evaluate(`${axe.source}; axe.run(document, { resultTypes: ['violations'] })`);
  const { violations } = violationsSchema.parse(found);
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    what,
  ).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), what).toBe(true);
}
