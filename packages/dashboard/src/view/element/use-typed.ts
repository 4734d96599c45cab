// The text of a field that is also in the address. The address changes a moment later, so the field has its own state:
// a render in between must not undo what was typed.
import { useEffect, useRef, useState } from 'preact/hooks';

export function useTyped(
  inAddress: string,
  write: (text: string) => void,
): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(inAddress);
  const written = useRef(inAddress);
  useEffect(() => {
    // Only a link or the back button sets the text from the address.
    if (inAddress === written.current) return;
    written.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  const type = (typed: string) => {
    written.current = typed;
    setText(typed);
    write(typed);
  };
  return [text, type];
}
