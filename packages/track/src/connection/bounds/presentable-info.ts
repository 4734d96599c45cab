// Bounds the size of a server's `serverInfo`, which is part of every answer to a modern client.
import type { Implementation } from '@modelcontextprotocol/client';

const mostCharacters = 16 * 1024;

export function presentable(info: Implementation): Implementation {
  if (JSON.stringify(info).length <= mostCharacters) return info;
  // Icons may be whole images, as data URLs.
  const { icons: _icons, ...rest } = info;
  if (JSON.stringify(rest).length <= mostCharacters) return rest;
  return { name: info.name.slice(0, 200), version: info.version.slice(0, 200) };
}
