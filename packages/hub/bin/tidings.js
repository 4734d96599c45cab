#!/usr/bin/env node
// Committed, not built: npm links a bin only if its file is there when it installs.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Tidings needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
const { entry } = await import('./entry.js');
await import(entry().href);
