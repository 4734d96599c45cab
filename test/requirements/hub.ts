// The hub's promises to agents, readers of events, pages and clients of its gateway.
import { accessRequirements } from './hub/access.ts';
import { agentRequirements } from './hub/agents.ts';
import { gatewayRequirements } from './hub/gateway.ts';
import { loginRequirements } from './hub/logins.ts';
import { nodeRequirements } from './hub/nodes.ts';
import { questionRequirements } from './hub/questions.ts';
import type { TestedRequirement } from './requirement.ts';

export const hubRequirements: readonly TestedRequirement[] = [
  ...gatewayRequirements,
  ...questionRequirements,
  ...agentRequirements,
  ...accessRequirements,
  ...loginRequirements,
  ...nodeRequirements,
];
