// The match of a URI with one template, as a route table finds it.
import { RouteTable } from '../resource/route-table.ts';
import { UriTemplate } from '../resource/template.ts';

export function matchTemplate(template: string, uri: string) {
  const table = new RouteTable<string>();
  table.add(new UriTemplate(template), template);
  return table.match(uri);
}
