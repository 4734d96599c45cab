// Behaviour of the embedded scheduler on every engine.
import { clockJumpCases } from './clock-jump-cases.ts';
import { deliveryCases } from './delivery-cases.ts';
import { dueCases } from './due-cases.ts';
import type { EmbeddedCase } from './embedded-case.ts';
import { historyCases } from './history-cases.ts';
import { nodeCases } from './node-cases.ts';

export const embeddedCases: readonly EmbeddedCase[] = [
  ...dueCases,
  ...nodeCases,
  ...deliveryCases,
  ...clockJumpCases,
  ...historyCases,
];
