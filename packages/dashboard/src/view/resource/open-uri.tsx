// "Open a URI": any URI of a server, with listed URIs and those that servers suggest.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { systemClock } from '@tidings/live/time';
import { readDefinitions } from '../../hub/definitions.ts';
import { suggestedUris } from '../../hub/suggested-uris.ts';
import type { HubState } from '../../state/hub-state.ts';
import { href } from '../route.ts';
import { type ServerTemplates, serverFor } from '../server-for.ts';

const mostListed = 30;
/** The pause in typing after which suggestions are requested. */
const typingMs = 200;

export function OpenUri({ hub }: { hub: HubState }): JSX.Element {
  const [uri, setUri] = useState('');
  const [known, setKnown] = useState<readonly ServerTemplates[]>();
  const suggested = useSuggestions(uri, known);
  const hasRequested = useRef(false);
  // Templates are requested when the field is first used: most visits do not use it.
  const requestTemplates = () => {
    if (hasRequested.current) return;
    hasRequested.current = true;
    const live = hub.servers.filter(({ state }) => state === 'live');
    void Promise.all(
      live.map(async ({ id }) => ({
        serverId: id,
        templates: await readDefinitions(id).then(
          ({ templates }) => templates,
          () => [],
        ),
      })),
    ).then(setKnown);
  };
  const listed = hub.catalog.resources.filter((resource) => uri !== '' && resource.uri.startsWith(uri));
  const choices = [...new Set([...listed.slice(0, mostListed).map((resource) => resource.uri), ...suggested])];
  const open = (event: Event) => {
    event.preventDefault();
    const serverId = serverFor(uri, hub.catalog.resources, known ?? []) ?? hub.servers[0]?.id;
    if (uri !== '' && serverId !== undefined) location.hash = href('resources', { server: serverId, uri });
  };
  return (
    <form class="open-uri" onSubmit={open}>
      <input
        class="search"
        list="uris"
        aria-label="Open a URI"
        placeholder="Open a URI, listed or not"
        autocomplete="off"
        spellcheck={false}
        value={uri}
        onFocus={requestTemplates}
        onInput={({ currentTarget }) => setUri(currentTarget.value)}
      />
      <datalist id="uris">
        {choices.map((choice) => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
      <button type="submit" class="button" disabled={uri === ''}>
        Open
      </button>
    </form>
  );
}

function useSuggestions(uri: string, known: readonly ServerTemplates[] | undefined): readonly string[] {
  const [found, setFound] = useState<readonly string[]>([]);
  useEffect(() => {
    setFound([]);
    if (uri === '' || known === undefined) return undefined;
    let isWanted = true;
    const timer = systemClock.after(typingMs, () => {
      void suggestedUris(uri, known).then((uris) => {
        if (isWanted) setFound(uris);
      });
    });
    return () => {
      isWanted = false;
      timer.cancel();
    };
  }, [uri, known]);
  return found;
}
