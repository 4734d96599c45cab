// Third-party servers on npm that start without a network or an account. The keys are fake, because no tool is called.

/** @typedef {{ id: string, spec: string, args?: string[], env?: Record<string, string> }} ThirdParty */

/** @type {readonly ThirdParty[]} */
export const thirdParty = [
  { id: 'everything', spec: '@modelcontextprotocol/server-everything@2026.8.31' },
  { id: 'memory', spec: '@modelcontextprotocol/server-memory@2026.8.31' },
  { id: 'filesystem', spec: '@modelcontextprotocol/server-filesystem@2026.8.31', args: ['.'] },
  { id: 'sequential-thinking', spec: '@modelcontextprotocol/server-sequential-thinking@2026.8.31' },
  {
    id: 'github',
    spec: '@modelcontextprotocol/server-github@2025.4.8',
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'none' },
  },
  {
    id: 'gitlab',
    spec: '@modelcontextprotocol/server-gitlab@2025.4.25',
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'none' },
  },
  { id: 'brave-search', spec: '@modelcontextprotocol/server-brave-search@0.6.2', env: { BRAVE_API_KEY: 'none' } },
  { id: 'google-maps', spec: '@modelcontextprotocol/server-google-maps@0.6.2', env: { GOOGLE_MAPS_API_KEY: 'none' } },
  {
    id: 'slack',
    spec: '@modelcontextprotocol/server-slack@2025.4.25',
    env: { SLACK_BOT_TOKEN: 'xoxb-none', SLACK_TEAM_ID: 'T0' },
  },
  { id: 'context7', spec: '@upstash/context7-mcp@4.1.1' },
  { id: 'kubernetes', spec: 'mcp-server-kubernetes@4.1.7' },
  { id: 'firecrawl', spec: 'firecrawl-mcp@3.26.0', env: { FIRECRAWL_API_KEY: 'none' } },
  { id: 'tavily', spec: 'tavily-mcp@0.2.22', env: { TAVILY_API_KEY: 'none' } },
  { id: 'notion', spec: '@notionhq/notion-mcp-server@2.5.2', env: { NOTION_TOKEN: 'none' } },
  { id: 'chart', spec: '@antv/mcp-server-chart@0.9.10' },
  { id: 'airtable', spec: 'airtable-mcp-server@1.14.0', env: { AIRTABLE_API_KEY: 'none' } },
  { id: 'playwright', spec: '@playwright/mcp@0.0.83' },
];
