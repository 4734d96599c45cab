// Bounds the size of a server's `serverInfo`, which is part of every answer to a modern client.
import type { Implementation } from '@modelcontextprotocol/client';
import { startOf } from '@tidings/live/portable';

const mostCharacters = 16 * 1024;

export function presentable(info: Implementation): Implementation {
  if (JSON.stringify(info).length <= mostCharacters) return info;
  // Icons may be whole images, as data URLs.
  const { icons: _icons, ...rest } = info;
  if (JSON.stringify(rest).length <= mostCharacters) return rest;
  return { name: startOf(info.name, 200), version: startOf(info.version, 200) };
}
