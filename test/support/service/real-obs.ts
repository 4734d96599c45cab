// A real OBS for one test, on a virtual screen, with its own home folder and port.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { OBSWebSocket } from 'obs-websocket-js/json';
import { freePort } from '../network/free-port.ts';
import { serviceNeed } from '../run/service-need.ts';
import type { ObsUnderTest } from './obs-under-test.ts';

const isOnPath = (program: string) => spawnSync('which', [program]).status === 0;

export const obsNeed = serviceNeed({
  what: 'OBS Studio',
  isThere: isOnPath('obs') && isOnPath('Xvfb'),
  install: 'bash scripts/install-test-tools.sh',
});

/** Until its port answers; a busy machine needs a while. */
const startMs = 60_000;
/** From the request to exit to the end of the process, usually 1 s. */
const exitMs = 15_000;

export class RealObs implements ObsUnderTest {
  readonly url: string;
  readonly password = 'secret123';
  readonly #home: string;
  readonly #screen: ChildProcess;
  readonly #display: string;
  #process: ChildProcess | undefined;

  private constructor(port: number, home: string, screen: ChildProcess, display: string) {
    this.url = `ws://127.0.0.1:${port}`;
    this.#home = home;
    this.#screen = screen;
    this.#display = display;
  }

  static async start(): Promise<RealObs> {
    const [port, home] = [await freePort(), await mkdtemp(join(tmpdir(), 'tidings-obs-'))];
    const settings = join(home, '.config', 'obs-studio');
    await mkdir(settings, { recursive: true });
    await writeFile(join(settings, 'global.ini'), globalSettings(port));
    const profile = join(settings, 'basic', 'profiles', 'Untitled');
    await mkdir(profile, { recursive: true });
    await writeFile(join(profile, 'basic.ini'), profileSettings);
    const [screen, display] = await openScreen();
    const obs = new RealObs(port, home, screen, display);
    try {
      await obs.start();
      return obs;
    } catch (error) {
      await obs[Symbol.asyncDispose]();
      throw error;
    }
  }

  async start(): Promise<void> {
    const env = { ...process.env, HOME: this.#home, XDG_CONFIG_HOME: join(this.#home, '.config') };
    this.#process = spawn('obs', ['--minimize-to-tray', '--multi', '--disable-updater'], {
      env: { ...env, DISPLAY: this.#display },
      stdio: 'ignore',
    });
    await eventually('OBS to answer', () => this.#answers(), startMs);
  }

  async saved(...names: string[]): Promise<void> {
    const folder = join(this.#home, '.config', 'obs-studio', 'basic', 'scenes');
    await eventually('OBS to write its scenes', async () => {
      const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
      const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
      return texts.some((text) => names.every((name) => text.includes(JSON.stringify(name))));
    });
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** OBS sometimes does not end on request; it is killed then. */
  async exit(): Promise<void> {
    const killing = setTimeout(() => void this.kill(), exitMs);
    await this.#end('SIGINT');
    clearTimeout(killing);
  }

  async repaint(source: string): Promise<void> {
    const client = new OBSWebSocket();
    await client.connect(this.url, this.password);
    await client.call('SetInputSettings', { inputName: source, inputSettings: { color: 0xff00ff00 } });
    await client.disconnect();
  }

  playTone(): { end(): void } {
    return { end: () => undefined };
  }

  async addGlobalInput(name: string): Promise<void> {
    await this.exit();
    const file = join(this.#home, '.config', 'obs-studio', 'basic', 'scenes', 'Untitled.json');
    const input = { id: 'alsa_input_capture', versioned_id: 'alsa_input_capture', name, settings: {}, enabled: true };
    const saved: unknown = JSON.parse(await readFile(file, 'utf8'));
    const sound = { mixers: 255, volume: 1, balance: 0.5, muted: false };
    await writeFile(file, JSON.stringify({ ...Object(saved), AuxAudioDevice1: { ...input, ...sound } }));
    await this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    const ended = new Promise((resolve) => this.#screen.once('exit', resolve));
    this.#screen.kill();
    await ended;
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  async #answers(): Promise<boolean> {
    const client = new OBSWebSocket();
    try {
      await client.connect(this.url, this.password);
      const { scenes } = await client.call('GetSceneList');
      return scenes.length > 0;
    } catch {
      return false;
    } finally {
      await client.disconnect();
    }
  }
}

function globalSettings(port: number): string {
  return [
    '[General]',
    'FirstRun=true',
    'EnableAutoUpdates=false',
    '[OBSWebSocket]',
    'FirstLoad=false',
    'ServerEnabled=true',
    `ServerPort=${port}`,
    'AlertsEnabled=false',
    'AuthRequired=true',
    'ServerPassword=secret123',
    '',
  ].join('\n');
}

/** Few and small frames, because they are rendered without a graphics card. */
const profileSettings = [
  '[General]',
  'Name=Untitled',
  '[Video]',
  'BaseCX=320',
  'BaseCY=180',
  'OutputCX=320',
  'OutputCY=180',
  'FPSType=0',
  'FPSCommon=10',
  '',
].join('\n');

/** The X server chooses a free display number and prints it. */
function openScreen(): Promise<[ChildProcess, string]> {
  return new Promise((resolve, reject) => {
    const args = ['-displayfd', '3', '-screen', '0', '1280x720x24', '-nolisten', 'tcp'];
    const screen = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    screen.once('error', reject);
    screen.stdio[3]?.once('data', (number: Buffer) => resolve([screen, `:${number.toString().trim()}`]));
  });
}
