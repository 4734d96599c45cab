// What a server lists, all pages of it. A server without such a list has an empty one, and is not asked:
// the SDK would remark on it on stdout.
import type { Client, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';

const options = { cacheMode: 'bypass', timeout: 30_000 } as const;

export async function listResources(client: Client): Promise<Resource[]> {
  if (!client.getServerCapabilities()?.resources) return [];
  return (await client.listResources(undefined, options)).resources;
}

export async function listTemplates(client: Client): Promise<ResourceTemplateType[]> {
  if (!client.getServerCapabilities()?.resources) return [];
  return (await client.listResourceTemplates(undefined, options)).resourceTemplates;
}

export async function listTools(client: Client): Promise<Tool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  return (await client.listTools(undefined, options)).tools;
}
