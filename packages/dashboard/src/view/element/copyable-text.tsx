// Text to be copied, such as a command or an address.
import type { JSX } from 'preact';
import { CopyButton } from './copy-button.tsx';

export function CopyableText({ text }: { text: string }): JSX.Element {
  return (
    <div class="snippet">
      <pre tabIndex={0}>{text}</pre>
      <CopyButton label="Copy" text={text} />
    </div>
  );
}
