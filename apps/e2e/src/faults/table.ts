/** All faults. */
import type { Fault } from './fault.js';
import { clockFaults } from './clock.js';
import { clusterFaults } from './cluster.js';
import { diskFaults } from './disk.js';
import { killFaults } from './kill.js';
import { memoryFaults } from './memory.js';
import { nameFaults } from './names.js';
import { partitionFaults } from './partition.js';
import { stopFaults } from './stop.js';

export const faults: readonly Fault[] = [
  ...killFaults,
  ...stopFaults,
  ...clockFaults,
  ...diskFaults,
  ...memoryFaults,
  ...nameFaults,
  ...partitionFaults,
  ...clusterFaults,
];
