/** All faults. */
import type { Fault } from './fault.js';
import { killFaults } from './kill.js';
import { messageFaults } from './messages.js';
import { natsFaults } from './nats.js';
import type { Machine } from './needs.js';
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
];
