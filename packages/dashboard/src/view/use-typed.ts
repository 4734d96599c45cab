// A text that is typed into a field and kept in the address. The address follows a moment later, so the field has a state
// of its own: a view that is drawn in between must not take back what was typed.
import { useEffect, useRef, useState } from 'preact/hooks';

export function useTyped(
  inAddress: string,
  write: (text: string) => void,
): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(inAddress);
  const written = useRef(inAddress);
  useEffect(() => {
    // A link, or the way back.
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
