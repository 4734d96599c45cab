// An unprivileged user for tests of permissions, since root may write everywhere.
import { spawnSync } from 'node:child_process';
import type { Need } from '../support/run/needs.ts';
import { program } from './note-process.ts';

export const stranger = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export const strangerNeed: Need = {
  what: 'a project folder that every user may read',
  isThere: spawnSync(process.execPath, ['--check', program], { ...stranger }).status === 0,
  install: 'chmod -R a+rX . (and the folders above it)',
};
