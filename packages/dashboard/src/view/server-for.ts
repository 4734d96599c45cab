// Finds the server of a URI: the one that lists it, one with a template that covers it, or one of the same scheme.
import type { ListedResource } from '@tidings/client/contract';
import type { Template } from '../hub/definitions.ts';
import { templatePattern } from '../hub/uri-template.ts';

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
  const matches = ({ uriTemplate }: { uriTemplate: string }) => templatePattern(uriTemplate).test(uri);
  return (
    resources.find((resource) => resource.uri === uri)?.serverId ??
    known.find(({ templates }) => templates.some(matches))?.serverId ??
    resources.find((resource) => resource.uri.startsWith(scheme))?.serverId
  );
}
