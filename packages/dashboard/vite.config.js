import { defineConfig } from 'vite';

export default defineConfig({
  // For `npx vite` while working on the page: the hub at its usual place answers.
  server: { proxy: { '/api': 'http://127.0.0.1:7411', '/resources': 'http://127.0.0.1:7411' } },
  build: { target: 'es2022', modulePreload: { polyfill: false }, reportCompressedSize: false },
});
