// What a server says of itself is in every answer to a modern client, so its size is bounded.
import type { Implementation } from '@modelcontextprotocol/client';

const mostCharacters = 16 * 1024;

export function presentable(info: Implementation): Implementation {
  if (JSON.stringify(info).length <= mostCharacters) return info;
  // Icons may be images in full.
  const { icons: _icons, ...rest } = info;
  if (JSON.stringify(rest).length <= mostCharacters) return rest;
  return { name: info.name.slice(0, 200), version: info.version.slice(0, 200) };
}
