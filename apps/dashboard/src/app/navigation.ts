/** The entries of the navigation: one for each noun, with the operation that a member must be allowed to call. */
import {
  ActivityLogIcon,
  BellIcon,
  CalendarIcon,
  GearIcon,
  GroupIcon,
  HomeIcon,
  LayersIcon,
  LightningBoltIcon,
  Link2Icon,
  MixIcon,
  PersonIcon,
  SpeakerOffIcon,
} from '@radix-ui/react-icons';
import type { ComponentType } from 'react';
import type { OperationId } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';

export interface NavigationEntry {
  path: string;
  label: string;
  icon: ComponentType;
  /** Shown to who may call it; to everybody without it. */
  operation?: OperationId;
  /** The second key after `g`. */
  key: string;
  /** Whether it is in the bottom bar of a phone. The others are behind 'More'. */
  onPhone?: boolean;
}

export const navigation: readonly NavigationEntry[] = [
  { path: '/', label: texts.navigation.now, icon: HomeIcon, key: 'n', onPhone: true },
  { path: '/alerts', label: texts.navigation.alerts, icon: BellIcon, operation: 'listAlerts', key: 'a', onPhone: true },
  {
    path: '/incidents',
    label: texts.navigation.incidents,
    icon: LightningBoltIcon,
    operation: 'listIncidents',
    key: 'i',
    onPhone: true,
  },
  {
    path: '/on-call',
    label: texts.navigation.onCall,
    icon: CalendarIcon,
    operation: 'getCurrentOnCall',
    key: 'o',
    onPhone: true,
  },
  { path: '/teams', label: texts.navigation.teams, icon: GroupIcon, operation: 'listTeams', key: 't' },
  {
    path: '/policies',
    label: texts.navigation.policies,
    icon: LayersIcon,
    operation: 'listEscalationPolicies',
    key: 'p',
  },
  { path: '/workflows', label: texts.navigation.workflows, icon: MixIcon, operation: 'listWorkflows', key: 'w' },
  {
    path: '/suppression',
    label: texts.navigation.suppression,
    icon: SpeakerOffIcon,
    operation: 'listSuppressionWindows',
    key: 's',
  },
  {
    path: '/integrations',
    label: texts.navigation.integrations,
    icon: Link2Icon,
    operation: 'listIntegrations',
    key: 'x',
  },
  { path: '/clients', label: texts.navigation.clients, icon: PersonIcon, operation: 'listClients', key: 'c' },
  { path: '/settings', label: texts.navigation.settings, icon: GearIcon, key: ',' },
];

export const moreIcon = ActivityLogIcon;
