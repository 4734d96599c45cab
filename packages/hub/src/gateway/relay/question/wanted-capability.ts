// Finds the client capability that a 2025-era server lacked. The server sees from the session's capabilities that it
// cannot ask, and says so in its own words, in a tool's result or as an error.
import type { ClientCapabilities } from '@modelcontextprotocol/client';

const saysNot = /\b(?:not|n't|cannot|lacks?|missing|requires?|needs?|unsupported|without)\b/i;
const saysCapability = /\b(?:support\w*|declar\w*|capabilit\w+|available|unsupported|handle\w*)\b/i;
/** Longer text is unlikely to be about a capability. */
const longest = 1000;

/** The capability that the text says the client lacks; undefined for text about anything else. */
export function wantedIn(text: string): ClientCapabilities | undefined {
  if (text.length > longest || !saysNot.test(text) || !saysCapability.test(text)) return undefined;
  if (/elicit/i.test(text)) return { elicitation: /\burl\b/i.test(text) ? { url: {} } : { form: {} } };
  if (/\bsampling\b|createMessage/i.test(text)) return { sampling: {} };
  return /\broots?\b/i.test(text) ? { roots: {} } : undefined;
}

/** Whether a client with these capabilities has the wanted one. */
export function offers({ elicitation, sampling, roots }: ClientCapabilities, wanted: ClientCapabilities): boolean {
  if (wanted.sampling) return sampling !== undefined;
  if (wanted.roots) return roots !== undefined;
  if (wanted.elicitation?.url) return elicitation?.url !== undefined;
  // Before there were two modes, the capability meant forms.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** The message to a caller whose client supports the question. */
export function couldNotAsk({ id }: { id: string }, wanted: ClientCapabilities): string {
  const what = Object.keys(wanted).join(', ');
  return `The server "${id}" needed to ask your client for something in this call (${what}), which the hub did not expect, so the call failed. What the call did before that stays done. From now on the server's questions reach you: call it again if that is safe.`;
}
