// The site: its menu, local search, and llms.txt. It is copied to the place where VitePress looks for it.
import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';

const page = (text, link) => ({ text, link: `/${link}` });
const reference = readdirSync(new URL('../reference/', import.meta.url))
  .map((name) => name.replace(/\.md$/, ''))
  .filter((name) => name !== 'commands' && name !== 'routes')
  .toSorted();

const sidebar = [
  {
    text: 'Start',
    items: [
      page('What it is', ''),
      page('Getting started', 'getting-started'),
      page('The command line', 'cli'),
      page('The dashboard', 'dashboard'),
    ],
  },
  {
    text: 'Hosts',
    items: [
      page('Claude Code', 'hosts/claude-code'),
      page('Claude Desktop', 'hosts/claude-desktop'),
      page('Cursor', 'hosts/cursor'),
      page('VS Code', 'hosts/vscode'),
    ],
  },
  {
    text: 'Guides',
    items: [
      page('The kit', 'kit'),
      page('In your framework', 'frameworks'),
      page('Lists from a database', 'lists'),
      page('Asking the user', 'asking'),
      page('Testing', 'testing'),
      page('Deploy', 'deploy'),
      page('Access', 'access'),
      page('Access tokens of an issuer', 'oauth'),
      page('Logging in to servers', 'logins'),
      page('Many nodes', 'scale'),
    ],
  },
  {
    text: 'Servers',
    items: [page('OBS Studio', 'obs'), page('Schedules', 'schedules'), page('Conversations (vCon)', 'vcon')],
  },
  {
    text: 'The hub',
    items: [
      page('The hub', 'hub'),
      page('Agents', 'agents'),
      page('Hooks of hosts', 'hooks'),
      page('The tracker', 'tracker'),
      page('The store', 'store'),
    ],
  },
  {
    text: 'Coming from',
    items: [
      page('The SDK', 'from-sdk'),
      page('fastmcp', 'from-fastmcp'),
      page('mcp-proxy', 'moving-over#from-mcp-proxy'),
      page('vcon-mcp', 'moving-over#from-vcon-mcp'),
      page('cronty', 'moving-over#from-cronty'),
      page('agentic-obs', 'moving-over#from-another-obs-server-agentic-obs-obs-mcp'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('Commands', 'reference/commands'),
      page('Routes', 'reference/routes'),
      page('Errors', 'errors'),
      ...reference.map((name) =>
        page(name === 'live' ? '@tidings/live' : `@tidings/${name.replace('-', '/')}`, `reference/${name}`),
      ),
    ],
  },
  {
    text: 'How it works',
    items: [
      page('Architecture', 'architecture'),
      page("The tracker's states", 'tracker-spec'),
      page('Figures', 'figures'),
      page('Benchmarks', 'bench'),
      page('Security', 'security'),
      page('Changes', 'changelog'),
      page('Contributing', 'contributing'),
    ],
  },
];

export default defineConfig({
  title: 'Tidings',
  description: 'Live MCP resources, end to end.',
  lang: 'en',
  cleanUrls: true,
  // Addresses of a hub on the reader's machine, and files for download.
  ignoreDeadLinks: [/^https?:\/\/(localhost|127\.0\.0\.1)/, /\.(?:cfg|service)$|\/Caddyfile$/],
  themeConfig: { sidebar, search: { provider: 'local' }, outline: [2, 3] },
  vite: { plugins: [llmstxt()], build: { chunkSizeWarningLimit: 3000 } },
});
