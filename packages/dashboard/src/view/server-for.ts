// Finds the server of a URI: the one that lists it, one with a template that covers it, or one of the same scheme.
import { type ListedResource, matchesTemplate, parseTemplate } from '@tidings/client/contract';
import type { Template } from '../hub/definitions.ts';

/** The limit of steps for matching the URI with all templates of all servers. */
const mostSteps = 1_000_000;

export interface ServerTemplates {
  serverId: string;
  templates: readonly Template[];
}

export function serverFor(
  uri: string,
  resources: readonly Pick<ListedResource, 'serverId' | 'uri'>[],
  known: readonly ServerTemplates[],
): string | undefined {
  const scheme = /^[^:]*:/.exec(uri)?.[0] ?? uri;
  const budget = { steps: mostSteps };
  const matches = ({ uriTemplate }: Template) => {
    const template = parseTemplate(uriTemplate);
    return template !== undefined && matchesTemplate(template, uri, budget);
  };
  return (
    resources.find((resource) => resource.uri === uri)?.serverId ??
    known.find(({ templates }) => templates.some(matches))?.serverId ??
    resources.find((resource) => resource.uri.startsWith(scheme))?.serverId
  );
}
