// What the trials of containers share: a record of checks, commands, and the images of the project.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './workspace.mjs';

export const services = [
  'api-gateway',
  'ingest-gateway',
  'auth',
  'resource-api',
  'alert-pipeline',
  'workflow-engine',
  'notifier',
];
const apps = [...services, 'admin', 'mail-catcher'];
const maxMegabytes = 200;
const megabytes = (bytes) => Math.round(bytes / 1e6);

/** Lines with the time since the beginning, and the checks that failed. */
export function createTrial() {
  const began = performance.now();
  const faults = [];
  const line = (text) => console.log(`${`${((performance.now() - began) / 1000).toFixed(0)} s`.padStart(6)}  ${text}`);
  return {
    faults,
    line,
    check(what, holds, found) {
      line(`${holds ? 'ok    ' : 'FAILED'}  ${what}${holds || found === undefined ? '' : `: ${found}`}`);
      if (!holds) faults.push(what);
    },
    /** Prints the verdict; the exit code. */
    end() {
      const minutes = ((performance.now() - began) / 60_000).toFixed(1);
      const verdict = faults.length === 0 ? 'Everything works' : `FAILED: ${faults.join('; ')}`;
      console.log(`\n${verdict}, after ${minutes} minutes.`);
      return faults.length === 0 ? 0 : 1;
    },
  };
}

/** Tries until the value is truthy; an error counts as not yet. */
export async function until(what, attempt, timeoutMs = 300_000) {
  const end = performance.now() + timeoutMs;
  let last = 'no answer';
  while (performance.now() < end) {
    try {
      const value = await attempt();
      if (value) return value;
    } catch (error) {
      last = error.message;
    }
    await sleep(500);
  }
  throw new Error(`not within ${timeoutMs / 1000} s: ${what} (${last})`);
}

/** Output of a command; it throws an error with the end of its output. `input` is written to it. */
export async function run(command, args, { env = process.env, input } = {}) {
  const running = promisify(execFile)(command, args, { cwd: root, env, maxBuffer: 2 ** 27 });
  running.child.stdin.end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    const output = `${error.stdout ?? ''}\n${error.stderr ?? ''}`.trim().split('\n').slice(-40).join('\n');
    throw new Error(`${command} ${args.slice(0, 6).join(' ')}: ${output || error.message}`, { cause: error });
  }
}

/**
 * The images of the project, built by Docker. `environment` gets NODE_IMAGE and the like where no registry of images can
 * be reached, and the base images are made from Debian packages.
 */
export function createImages({ line, check }, environment) {
  const docker = (...args) => run('docker', args, { env: environment });
  const inspect = async (image) => JSON.parse(await docker('image', 'inspect', image))[0];

  async function baseImages() {
    if (environment.NODE_IMAGE) return line(`the base image is ${environment.NODE_IMAGE}`);
    const reachable = await fetch('https://registry-1.docker.io/v2/', { signal: AbortSignal.timeout(10_000) }).then(
      ({ status }) => status === 401 || status === 200,
      () => false,
    );
    if (reachable) return line('the base images come from the registry');
    line('no registry of images can be reached: the base images are made from Debian packages');
    await run('bash', ['docker/try/base-images.sh'], { env: environment });
    for (const name of ['node', 'postgres', 'nats', 'caddy'])
      environment[`${name.toUpperCase()}_IMAGE`] = `ams-try/${name}`;
  }

  function build(image, app, ...more) {
    const secrets = Object.entries({
      ca: process.env.NODE_EXTRA_CA_CERTS ?? '',
      npmrc: join(homedir(), '.npmrc'),
    }).flatMap(([id, file]) => (existsSync(file) ? ['--secret', `id=${id},src=${file}`] : []));
    const node = environment.NODE_IMAGE ? ['--build-arg', `NODE_IMAGE=${environment.NODE_IMAGE}`] : [];
    const args = ['-f', 'docker/Dockerfile', '--network', 'host', '--build-arg', `APP=${app}`, '-t', image];
    return docker('build', ...args, ...node, ...secrets, ...more, '.');
  }
  const targetOf = (app) => (app === 'admin' ? ['--target', 'command'] : []);

  /** Builds all images as `ams/<app>` and checks each: its size beyond Node, its user, its labels. */
  async function buildAll() {
    await baseImages();
    line('building the images');
    const sizes = [];
    for (const app of apps) await build(`ams/${app}`, app, ...targetOf(app));
    await build('ams-try/runtime', 'auth', '--target', 'runtime');
    const node = (await inspect('ams-try/runtime')).Size;
    for (const app of apps) {
      const { Size, Config } = await inspect(`ams/${app}`);
      sizes.push({ image: app, total: megabytes(Size), own: megabytes(Size - node) });
      check(`${app}: ${megabytes(Size - node)} MB beyond Node`, megabytes(Size - node) < maxMegabytes);
      check(`${app}: runs as a user without rights`, Config.User === '10001:10001', Config.User);
      check(
        `${app}: has labels and a health check`,
        Config.Labels['ams.sbom.path'] && (app === 'admin') === !Config.Healthcheck,
      );
    }
    return sizes;
  }

  return {
    docker,
    buildAll,
    /** The images of the services with another version, as `ams/<service>:<version>`. */
    async buildVersion(version) {
      for (const app of services) await build(`ams/${app}:${version}`, app, '--build-arg', `VERSION=${version}`);
    },
  };
}

/** One request; status, and the body as JSON where it is an object. */
export async function request(method, url, { key, body, headers = {} } = {}) {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(20_000),
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
