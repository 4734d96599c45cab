// A name that a server chose, shortened, with every character escaped that could hide or reverse text.
import { shortened } from '@tidings/live/portable';

const longest = 120;

export function visibleName(name: string): string {
  return shortened(name, longest).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}
