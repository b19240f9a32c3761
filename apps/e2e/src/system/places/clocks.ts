/**
 * Clocks that a test sets, with Debian's libfaketime: a replica reads the offset of its clock from a file. The
 * monotonic clock and the clocks of the servers stay correct.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisMachine, type Place } from './place.js';

export const faketimeLibrary = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

export interface Clocks {
  placeOf(replica: string): Place;
  /** Sets the clock of the replica this many seconds ahead of the correct time, within a second. */
  set(replica: string, secondsAhead: number): void;
}

export function openClocks(dir: string): Clocks {
  const folder = join(dir, 'clocks');
  mkdirSync(folder);
  const fileOf = (replica: string): string => join(folder, replica);
  const set = (replica: string, secondsAhead: number): void =>
    writeFileSync(fileOf(replica), `${secondsAhead < 0 ? '' : '+'}${secondsAhead}\n`);
  return {
    set,
    placeOf(replica) {
      set(replica, 0);
      const env = {
        LD_PRELOAD: faketimeLibrary,
        FAKETIME_TIMESTAMP_FILE: fileOf(replica),
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      };
      return { ...thisMachine, env };
    },
  };
}
