/**
 * What a narrowed key (`restrictedTo`) may do with each operation. The database hides every row that does not belong to
 * the clients and teams of the key, so an operation that only reads and writes such rows is `within`. All others are
 * refused, with the reason. An operation without an entry is refused, and fails a test.
 */
import { Fault } from './fault.js';
import type { Operation } from './operation.js';
import type { Principal } from './principal.js';

export type Narrowing = 'within' | { refused: string };

const refused = (reason: string): Narrowing => ({ refused: reason });

const members = refused('members belong to the whole organization');
const clients = refused('it could create or delete what the key is restricted to');
const teams = refused('a team and its members belong to the whole environment');
const organization = refused('the settings belong to the whole environment');
const workflows = refused('workflows act on the alerts of the whole environment');
const mailRecipients = refused('recipients of mails belong to the whole organization');
const session = refused('it belongs to a person who is signed in');
const views = refused('views belong to members or to the whole organization');
const messages = refused('a test message belongs to no client and no team');

const narrowings: Record<string, Narrowing> = {
  listAlerts: 'within',
  exportAlerts: 'within',
  getAlertFacets: 'within',
  getAlert: 'within',
  acknowledgeAlert: 'within',
  unacknowledgeAlert: 'within',
  resolveAlert: 'within',
  assignAlert: 'within',
  createAlertNote: 'within',
  bulkAlerts: 'within',
  getBulkJob: 'within',
  getAlertTimeline: 'within',
  explainAlert: 'within',
  listIncidents: 'within',
  exportIncidents: 'within',
  getIncidentFacets: 'within',
  createIncident: 'within',
  getIncident: 'within',
  updateIncident: 'within',
  mergeIncidents: 'within',
  escalateIncident: 'within',
  listIncidentAlerts: 'within',
  getIncidentTimeline: 'within',
  listIntegrations: 'within',
  createIntegration: 'within',
  getIntegration: 'within',
  updateIntegration: 'within',
  deleteIntegration: 'within',
  rotateIntegrationToken: 'within',
  previewIntegration: 'within',
  replayIntegration: 'within',
  listIntegrationRequests: 'within',
  listIntegrationDeliveries: 'within',
  listClients: 'within',
  createClient: clients,
  getClient: 'within',
  updateClient: 'within',
  deleteClient: clients,
  listWorkflows: 'within',
  createWorkflow: workflows,
  getWorkflow: 'within',
  updateWorkflow: workflows,
  deleteWorkflow: workflows,
  enableWorkflow: workflows,
  disableWorkflow: workflows,
  testWorkflow: workflows,
  listWorkflowRuns: 'within',
  simulate: workflows,
  listPages: 'within',
  listNotifications: 'within',
  exportNotifications: 'within',
  getNotification: 'within',
  sendTestNotification: messages,
  listDeliveries: 'within',
  getDelivery: 'within',
  sendTestDelivery: messages,
  listTeams: 'within',
  createTeam: teams,
  getTeam: 'within',
  updateTeam: teams,
  deleteTeam: teams,
  listEscalationPolicies: 'within',
  createEscalationPolicy: 'within',
  getEscalationPolicy: 'within',
  updateEscalationPolicy: 'within',
  deleteEscalationPolicy: 'within',
  getCurrentRecipients: members,
  getOrganization: organization,
  getOrganizationUsage: organization,
  updateOrganization: organization,
  listMailRecipients: mailRecipients,
  createMailRecipient: mailRecipients,
  verifyMailRecipient: mailRecipients,
  deleteMailRecipient: mailRecipients,
  getMailRecipientLink: session,
  confirmMailRecipient: session,
  getStatus: 'within',
  listSchedules: 'within',
  createSchedule: 'within',
  getSchedule: 'within',
  updateSchedule: 'within',
  deleteSchedule: 'within',
  createScheduleOverride: 'within',
  deleteScheduleOverride: 'within',
  swapShifts: 'within',
  getScheduleShifts: 'within',
  previewSchedule: 'within',
  getCurrentOnCall: 'within',
  createScheduleFeed: 'within',
  deleteScheduleFeed: 'within',
  createMemberFeed: members,
  deleteMemberFeed: members,
  listSuppressionWindows: 'within',
  createSuppressionWindow: 'within',
  getSuppressionWindow: 'within',
  updateSuppressionWindow: 'within',
  deleteSuppressionWindow: 'within',
  previewSuppressionWindow: 'within',
  getSuppressionOccurrences: 'within',
  silenceAlert: 'within',
  listMembers: members,
  inviteMember: members,
  getMember: members,
  updateMember: members,
  disableMember: members,
  enableMember: members,
  deleteMember: members,
  sendInvitation: members,
  signIn: session,
  getSession: session,
  switchOrganization: session,
  signOut: session,
  listSessions: session,
  endSession: session,
  endOtherSessions: session,
  changePassword: session,
  getProfile: session,
  updateProfile: session,
  getPush: session,
  listDevices: session,
  addDevice: session,
  deleteDevice: session,
  testDevice: session,
  getInvitation: session,
  acceptInvitation: session,
  requestPasswordReset: session,
  resetPassword: session,
  welcome: session,
  getSignInMethods: session,
  signInWithCode: session,
  beginPasskeySignIn: session,
  signInWithPasskey: session,
  beginOpenIdSignIn: session,
  signInWithOpenId: session,
  getTwoFactor: session,
  beginTotp: session,
  confirmTotp: session,
  disableTotp: session,
  renewRecoveryCodes: session,
  listPasskeys: session,
  beginPasskey: session,
  createPasskey: session,
  updatePasskey: session,
  deletePasskey: session,
  listApiKeys: 'within',
  createApiKey: 'within',
  revokeApiKey: 'within',
  // Each operation of a batch is checked for itself.
  runBatch: 'within',
  listViews: views,
  createView: views,
  getView: views,
  updateView: views,
  deleteView: views,
  listAuditLog: refused('entries belong to the whole environment'),
  exportAuditLog: refused('entries belong to the whole environment'),
};

const known = new Map(Object.entries(narrowings));

export const narrowingOf = ({ operationId }: Pick<Operation, 'operationId'>): Narrowing =>
  known.get(operationId) ?? refused('it is not known how to restrict it');

/** The operations of the table, for the test that compares them with the catalogue. */
export const narrowedOperationIds: readonly string[] = [...known.keys()];

/** A narrowed key calls an operation that cannot be narrowed. */
export const refusedToNarrowed = (operationId: string, reason: string): Fault<'INSUFFICIENT_SCOPE'> =>
  new Fault(
    'INSUFFICIENT_SCOPE',
    { required: 'unrestricted' },
    `A key that is restricted to clients or teams cannot use ${operationId}: ${reason}.`,
  );

/** An operation for people who are signed in is called with a key, or by a link in a message. */
export const refusalToKeys = ({ operationId }: Pick<Operation, 'operationId'>): Fault<'INSUFFICIENT_SCOPE'> =>
  new Fault(
    'INSUFFICIENT_SCOPE',
    { required: 'session' },
    `${operationId} is for people who are signed in. An API key cannot use it.`,
  );

/** The fault for the operation if the principal is a narrowed key and the operation cannot be narrowed. */
export function refusalToNarrowed(
  { restrictedTo }: Pick<Principal, 'restrictedTo'>,
  operation: Pick<Operation, 'operationId'>,
): Fault<'INSUFFICIENT_SCOPE'> | null {
  const narrowing = narrowingOf(operation);
  return !restrictedTo || narrowing === 'within' ? null : refusedToNarrowed(operation.operationId, narrowing.refused);
}

/** A narrowed key writes a record that would not belong to its clients or teams. */
export const outsideNarrowing = (): Fault<'INSUFFICIENT_SCOPE'> =>
  new Fault(
    'INSUFFICIENT_SCOPE',
    { required: 'unrestricted' },
    'This key is restricted to clients or teams: the record must belong to one of them (clientId, clientIds or teamId).',
  );
