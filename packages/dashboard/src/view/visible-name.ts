// A name that a server chose, with every character escaped that could hide something or turn the text around.

const longest = 120;

export function visibleName(name: string): string {
  const visible = name.slice(0, longest).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
  return name.length > longest ? `${visible}…` : visible;
}
