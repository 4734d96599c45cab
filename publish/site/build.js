// `npm run docs`: builds the web site in dist/site from docs/, the documents beside it and a reference generated
// from the build. VitePress fails on a link without a target.
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { runTool } from '../install-tools.js';
import { assemblePages } from './assemble-pages.js';

const pages = resolve('publish/.pages');
const site = resolve('dist/site');

rmSync(pages, { recursive: true, force: true });
rmSync(site, { recursive: true, force: true });
await assemblePages(pages);
runTool('vitepress', ['build', pages, '--outDir', site], {
  env: { ...process.env, NODE_ENV: 'production' },
});
