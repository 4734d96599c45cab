// Adds a server to the configuration file: one with an address by a form; one with a command only by editing the file,
// since no command is accepted over HTTP.
import type { JSX } from 'preact';
import { addServer } from '../../hub/api.ts';
import { LabelledField, FormDialog, textIn } from '../element/form-dialog.tsx';
import { CopyableText } from '../element/copyable-text.tsx';

const commandExample = `{ "id": "notes", "command": "npx", "args": ["-y", "some-mcp-server"], "trackResources": true }`;

interface AddServerDialogProps {
  configFile: string;
  onAdded(this: void, id: string): void;
  onClose(this: void): void;
}

export function AddServerDialog({ configFile, onAdded, onClose }: AddServerDialogProps): JSX.Element {
  const send = async (form: FormData) => {
    const description = textIn(form, 'description');
    const { id } = await addServer({
      id: textIn(form, 'id') ?? '',
      url: textIn(form, 'url') ?? '',
      ...(description !== undefined && { description }),
      trackResources: form.has('track'),
    });
    onAdded(id);
  };
  return (
    <FormDialog
      title="Add a server"
      description={`A server that is reached over HTTP. It is written to ${configFile}, and in force at once.`}
      action={{ does: 'Add', doing: 'Adding…' }}
      send={send}
      onClose={onClose}
    >
      <LabelledField label="Id" hint="1 to 32 of a-z, 0-9 and -">
        <input name="id" class="search" required pattern="[a-z0-9][a-z0-9\-]{0,31}" placeholder="notes" />
      </LabelledField>
      <LabelledField label="Address" hint="Without a password: headers belong into the file.">
        <input name="url" type="url" class="search" required placeholder="https://example.com/mcp" />
      </LabelledField>
      <LabelledField label="Description" isWide>
        <input name="description" class="search" />
      </LabelledField>
      <label class="choice wide">
        <input type="checkbox" name="track" defaultChecked /> Track its resources: changes are journaled
      </label>
      <details class="wide">
        <summary>A server that is started by a command</summary>
        <p class="faint">No command is accepted over HTTP. Add an entry such as this to the file:</p>
        <CopyableText text={commandExample} />
      </details>
    </FormDialog>
  );
}
