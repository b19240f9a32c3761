/** Small file systems (ext4 in a file) that a test fills, and whose writes it slows down. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';

export interface Disk {
  /** Leaves no room. */
  fill(): void;
  /** Gives the room back. */
  free(): void;
  /** Limits the writes of these processes to this number a second. */
  slow(pids: readonly number[], writesPerSecond: number): void;
  /** Ends the limit. */
  quicken(): void;
  /** After the end of all programs that use it. */
  close(): void;
}

const run = (command: string, ...args: string[]): string => execFileSync(command, args, { encoding: 'utf8' }).trim();

export const blkio = '/sys/fs/cgroup/blkio';

/** Mounts a new file system on the folder, which is created. */
export function openDisk(folder: string, megabytes: number): Disk {
  const image = `${folder}.image`;
  mkdirSync(folder);
  writeFileSync(image, '');
  truncateSync(image, megabytes * 1024 * 1024);
  run('mkfs.ext4', '-q', '-F', '-m', '0', image);
  const device = run('losetup', '-f', '--show', image);
  run('mount', device, folder);
  const filler = join(folder, 'filler');
  const group = join(blkio, `ams-${process.pid}-${basename(device)}`);
  const numbers = readFileSync(`/sys/block/${basename(device)}/dev`, 'utf8').trim();
  const move = (pids: readonly string[], to: string): void => {
    for (const pid of pids) {
      try {
        writeFileSync(join(to, 'cgroup.procs'), pid);
      } catch {
        // the process has ended
      }
    }
  };
  const quicken = (): void => {
    if (!existsSync(group)) return;
    move(readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean), blkio);
    rmdirSync(group);
  };
  return {
    fill() {
      const room = (): number => {
        const { bavail, bsize } = statfsSync(folder);
        return bavail * bsize;
      };
      const reserve = 4 * 1024 * 1024; // for the metadata of the large file
      if (room() > reserve) run('fallocate', '-l', String(room() - reserve), filler);
      const write = 'head -c "$1" /dev/zero >> "$0" 2>/dev/null || true';
      for (let left = room(); left > 0; left = room()) run('sh', '-c', write, filler, String(left));
    },
    free: () => rmSync(filler, { force: true }),
    slow(pids, writesPerSecond) {
      mkdirSync(group, { recursive: true });
      writeFileSync(join(group, 'blkio.throttle.write_iops_device'), `${numbers} ${writesPerSecond}`);
      move(pids.map(String), group);
    },
    quicken,
    close() {
      quicken();
      run('umount', folder);
      run('losetup', '-d', device);
      rmSync(image);
    },
  };
}
