// The resource templates of all servers, for one caller, with completion of their variables.
import type { ResourceTemplateType } from '@modelcontextprotocol/client';
import { expandedTemplate, templateVariables } from '@tidings/client/contract';
import { type Caller, type Completer, LiveError } from '@tidings/live';
import type { Completion } from '@tidings/live/internal';
import type { Upstream } from '@tidings/track';
import type { PermissionsOf } from '../../access/permissions.ts';
import { addressTemplateOf } from '../owner/address.ts';
import type { Ownership } from '../owner/ownership.ts';
import { suggestionsOf } from './suggestions.ts';
import type { Views } from '../view.ts';

interface GatewayTemplatesDeps {
  upstreams: () => Iterable<Upstream>;
  views: Views;
  ownership: Ownership;
  permissionsOf: PermissionsOf;
}

export class GatewayTemplates {
  readonly #deps: GatewayTemplatesDeps;

  constructor(deps: GatewayTemplatesDeps) {
    this.#deps = deps;
  }

  *of(caller: Caller): Generator<ResourceTemplateType> {
    const { upstreams, ownership, permissionsOf } = this.#deps;
    const permissions = permissionsOf(caller);
    for (const upstream of upstreams()) {
      for (const template of upstream.catalog.templates) {
        const text = template.uriTemplate;
        if (!permissions.opensAllOf(upstream.id, text)) continue;
        // If an earlier server owns all URIs of the template, it is offered as a template of addresses.
        const isOwner = ownership.isOwnerOfTemplate(upstream, text, permissions);
        yield isOwner
          ? template
          : { ...template, uriTemplate: addressTemplateOf({ serverId: upstream.id, uri: text }) };
      }
    }
  }

  completion(requestedTemplate: string, variable: string, chosen: Record<string, string>, caller: Caller): Completion {
    const { views, ownership, permissionsOf } = this.#deps;
    const permissions = permissionsOf(caller);
    const { upstream, template } = ownership.ownerOfTemplate(requestedTemplate, permissions) ?? {};
    // Suggestions name resources, so the caller must be allowed to read everything that the template matches.
    if (upstream === undefined || template === undefined || !permissions.opensAllOf(upstream.id, template))
      throw new LiveError('INVALID_PARAMS', `There is no template "${requestedTemplate}" here.`);
    const completer: Completer = (prefix, _chosen, _caller, context) => {
      const ref = { type: 'ref/resource' as const, uri: template };
      const argument = { name: variable, value: prefix };
      return suggestionsOf(upstream, views.of(upstream, caller), context, {
        ref,
        argument,
        context: { arguments: chosen },
      });
    };
    const permits = (value: string) => {
      if (permissions.isWhole) return true;
      const uri = expanded(template, { ...chosen, [variable]: value });
      return uri === undefined || permissions.opens(upstream.id, uri);
    };
    return { completer, permits };
  }
}

/** Undefined if a variable is missing, or the template or a value is invalid. */
function expanded(template: string, values: Record<string, string>): string | undefined {
  if (!templateVariables(template).every((name) => Object.hasOwn(values, name))) return undefined;
  try {
    return expandedTemplate(template, values);
  } catch {
    // Half a surrogate pair has no percent-escape.
    return undefined;
  }
}
