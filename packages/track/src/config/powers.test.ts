import { expect, it } from 'vitest';
import { parseConfig } from './parse-config.ts';
import { powersOf } from './powers.ts';

const env = { TOKEN: 'hunter2', HOME: '/home/user' };
const powers = (config: object) => powersOf(parseConfig(JSON.stringify(config), { file: 'servers.json', env }));
const words = (config: object) => powers(config).map((power) => power.words);
const texts = (config: object) => powers(config).map(({ text }) => text);
const command = { id: 'a', command: 'node', args: ['a.js'] };

it('a command is shown completely, without values of the environment', () => {
  const env = { NODE_OPTIONS: '--require ./evil.js', KEY: 'x-${TOKEN}' };
  expect(words({ servers: [{ ...command, workingDirectory: 'elsewhere', env }] })).toEqual([
    'start a: node a.js, in elsewhere, with NODE_OPTIONS=--require ./evil.js KEY=x-…',
  ]);
  expect(JSON.stringify(texts({ servers: [{ ...command, env }] }))).not.toContain('hunter2');
});

it('consent is required again when the command changes, and only then', () => {
  const agreed = texts({ servers: [command] });
  expect(texts({ servers: [{ ...command, trackResources: true, pin: true, description: 'x' }] })).toEqual(agreed);
  const others = [{ args: ['--more'] }, { env: { PATH: '.' } }, { workingDirectory: '/tmp' }];
  for (const other of others) expect(texts({ servers: [{ ...command, ...other }] })).not.toEqual(agreed);
});

it('values of the environment are sent with consent only, and addresses alone need none', () => {
  const url = 'https://example.com/mcp';
  expect(words({ servers: [{ id: 'b', url, headers: { 'X-Key': 'fixed' } }] })).toEqual([]);
  for (const given of [{ headers: { 'X-Key': '${TOKEN}' } }, { url: `${url}?key=\${TOKEN}` }])
    expect(words({ servers: [{ id: 'b', url, ...given }] })).toEqual([
      'send values of your environment to example.com (b)',
    ]);
});

it('opening the hub to others needs consent', () => {
  const config = {
    servers: [],
    tokens: [{ env: 'TOKEN' }],
    cors: ['https://page.example'],
    oauth: { issuers: [{ issuer: 'https://id.example.com', audience: 'x' }] },
    hosts: ['hub.example'],
    proxies: ['192.0.2.1'],
    realtime: ['wss://agent.example'],
  };
  expect(words(config)).toEqual([
    'accept as a token the value of TOKEN',
    'accept access tokens of https://id.example.com',
    'let web pages use the hub, of https://page.example',
    'answer under the names hub.example',
    'believe what is said of clients by 192.0.2.1',
    'send messages and keys of agents to wss://agent.example',
  ]);
  expect(texts({ ...config, tokens: [{ env: 'TOKEN', allow: ['a://**'] }] })).not.toEqual(texts(config));
  // The values that a redaction removes are a part of its token's rights.
  const hiding = (rule: object) => ({ servers: [], redactions: { 'contact-details': rule } });
  expect(words(hiding({}))).toEqual(['decide what is hidden by the redactions contact-details']);
  expect(texts(hiding({}))).not.toEqual(texts(hiding({ drop: ['tel'] })));
  expect(words({ servers: [], mentionChanges: false })).toEqual([]);
});

it('weaker limits and a smaller audit log need consent', () => {
  expect(words({ servers: [], limits: { streams: 9 }, audit: false })).toEqual([
    'set limits of callers: streams',
    'keep no audit log',
  ]);
  expect(words({ servers: [], audit: { files: 1 } })).toEqual(['decide what the audit log keeps']);
});
