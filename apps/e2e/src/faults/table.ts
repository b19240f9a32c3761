/** All faults. */
import { clockFaults } from './clock.js';
import { clusterFaults } from './cluster.js';
import { diskFaults } from './disk.js';
import type { Fault } from './fault.js';
import { killFaults } from './kill.js';
import { memoryFaults } from './memory.js';
import { messageFaults } from './messages.js';
import { nameFaults } from './names.js';
import { natsFaults } from './nats.js';
import type { Machine } from './needs.js';
import { partitionFaults } from './partition.js';
import { postgresFaults } from './postgres.js';
import { stopFaults } from './stop.js';
import { upgradeFaults } from './upgrade.js';

export const faultsOf = ({ yesterday }: Machine): readonly Fault[] => [
  ...killFaults,
  ...stopFaults,
  ...postgresFaults,
  ...natsFaults,
  ...messageFaults,
  ...upgradeFaults(yesterday),
  ...clockFaults,
  ...diskFaults,
  ...memoryFaults,
  ...nameFaults,
  ...partitionFaults,
  ...clusterFaults,
];
