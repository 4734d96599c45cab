// Prints one line on an old version of Node, which would otherwise print syntax errors.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Tidings needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
