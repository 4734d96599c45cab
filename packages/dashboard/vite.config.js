import { defineConfig } from 'vite';

const address = 'http://127.0.0.1:7411';
/** The hub takes requests of its own pages only, so what this server passes on must look like one. */
const hub = { target: address, changeOrigin: true, headers: { origin: address } };

export default defineConfig({
  // For `npx vite` while working on the page: the hub at its usual place answers.
  server: { proxy: Object.fromEntries(['/api', '/resources', '/login', '/logout'].map((path) => [path, hub])) },
  build: { target: 'es2022', modulePreload: { polyfill: false }, reportCompressedSize: false },
});
