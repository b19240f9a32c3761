// The account that runs PostgreSQL. PostgreSQL does not run as root: root starts it as the owner of existing data,
// otherwise as `nobody`.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';

export interface Account {
  uid: number;
  gid: number;
}

/** The account to switch to, or null when this process can run the server itself. */
export function unprivilegedAccount(existingData: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(existingData, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const nobody = readPasswd()
    .find((line) => line.startsWith('nobody:'))
    ?.split(':');
  return nobody ? { uid: Number(nobody[2]), gid: Number(nobody[3]) } : { uid: 65534, gid: 65534 };
}

function readPasswd(): string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Whether the account (null: ours) can enter the folder. It is tried, because access lists may apply too. */
export function canEnter(account: Account | null, folder: string): boolean {
  if (!account) {
    try {
      accessSync(folder, constants.R_OK | constants.X_OK);
      return true;
    } catch {
      return false;
    }
  }
  const { status } = spawnSync('/bin/sh', ['-c', 'cd -- "$1" && test -r .', 'sh', folder], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  return status === 0;
}
