// What a host's hook sends, as far as the hub uses it. The rest (prompts, the input and output of tools) is ignored, and
// nothing of it is kept.
import { z } from 'zod';

const longestId = 256;

const id = z.string().min(1).max(longestId);

/** The names that hosts have for the same fields; null counts as absent. */
export const hookBody = z.looseObject({
  hook_event_name: id.nullish(),
  hookEventName: id.nullish(),
  session_id: id.nullish(),
  sessionId: id.nullish(),
  conversation_id: id.nullish(),
  agent_id: id.nullish(),
  /** How a session starts. */
  source: z.string().max(longestId).nullish(),
  /** Whether the turn that ends was already continued by a hook. */
  stop_hook_active: z.boolean().nullish(),
  loop_count: z.number().nullish(),
  /** How a turn of Cursor ended. */
  status: z.string().max(longestId).nullish(),
});
