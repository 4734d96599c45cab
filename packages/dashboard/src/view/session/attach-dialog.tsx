// Attaches an agent: a form over the page. It shows the hub's error messages.
import type { JSX } from 'preact';
import { type AttachForm, attachSession } from '../../hub/api.ts';
import type { ServerStatus, SessionStatus } from '@tidings/client/contract';
import { LabelledField, FormDialog, textIn } from '../element/form-dialog.tsx';

interface AttachDialogProps {
  servers: readonly ServerStatus[];
  onAttached(this: void, session: SessionStatus): void;
  onClose(this: void): void;
}

export function AttachDialog({ servers, onAttached, onClose }: AttachDialogProps): JSX.Element {
  return (
    <FormDialog
      title="Attach an agent"
      description="The hub opens the session, and sends it a message for every change of the resources below."
      action={{ does: 'Attach', doing: 'Attaching…' }}
      send={async (form) => onAttached(await attachSession(requestIn(form, servers)))}
      onClose={onClose}
    >
      <LabelledField label="Kind">
        <select name="kind">
          <option value="openai-realtime">OpenAI Realtime</option>
          <option value="gemini-live">Gemini Live</option>
          <option value="webhook">Webhook, for a bridge</option>
          <option value="stdout">Lines on the hub’s stdout</option>
        </select>
      </LabelledField>
      <LabelledField label="Key" hint="The name of a variable in the hub’s environment. The key itself stays there.">
        <input name="key_env" class="search" placeholder="The usual one" autocomplete="off" spellcheck={false} />
      </LabelledField>
      <LabelledField label="Model">
        <input name="model" class="search" placeholder="The usual one" autocomplete="off" spellcheck={false} />
      </LabelledField>
      <LabelledField label="Address">
        <input name="url" class="search" placeholder="The usual one" autocomplete="off" spellcheck={false} />
      </LabelledField>
      <LabelledField label="When">
        <select name="when">
          <option value="now">Now, at once</option>
          <option value="between-turns">Between turns, 3 s at the most</option>
        </select>
      </LabelledField>
      <LabelledField label="Tell">
        <select name="announce">
          <option value="line">That it changed</option>
          <option value="snapshot">With its content</option>
          <option value="diff">With what changed in it</option>
        </select>
      </LabelledField>
      <LabelledField label="Messages a minute">
        <input name="per_minute" class="search" type="number" min="1" step="1" placeholder="As many as there are" />
      </LabelledField>
      <LabelledField label="Resources" hint="Patterns such as vcon://**, with spaces between them.">
        <input name="uris" class="search" placeholder="All" autocomplete="off" spellcheck={false} />
      </LabelledField>
      <fieldset class="wide">
        <legend>Servers</legend>
        {servers.map(({ id }) => (
          <label key={id} class="choice">
            <input type="checkbox" name="servers" value={id} defaultChecked /> {id}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}

/** With every server chosen, later servers are included too. */
function requestIn(form: FormData, servers: readonly ServerStatus[]): AttachForm {
  const text = (name: string) => textIn(form, name);
  const chosen = form.getAll('servers').filter((value) => typeof value === 'string');
  const perMinute = text('per_minute');
  return {
    kind: text('kind') ?? '',
    key_env: text('key_env'),
    model: text('model'),
    url: text('url'),
    when: text('when'),
    announce: text('announce'),
    per_minute: perMinute === undefined ? undefined : Number(perMinute),
    servers: chosen.length === servers.length ? undefined : chosen,
    uris: text('uris')?.split(/[\s,]+/),
  };
}
