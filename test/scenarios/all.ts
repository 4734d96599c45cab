import { catalogScenarios } from './catalog.ts';
import { deliveryScenarios } from './delivery.ts';
import { directScenarios } from './direct.ts';
import { edgeScenarios } from './edges.ts';
import { type Scenario, sessionScenarios } from './scenario.ts';
import { streamScenarios } from './streams.ts';

export const scenarios: readonly Scenario[] = [
  ...sessionScenarios,
  ...deliveryScenarios,
  ...streamScenarios,
  ...edgeScenarios,
  ...catalogScenarios,
  ...directScenarios,
];
