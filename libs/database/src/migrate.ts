/** Migrates a database to the newest schema: roles, then migrations. Requires a role with both privileges. */
import type { TlsFiles } from '@ams/contracts';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { Foundation1700000000000 } from './migrations/1700000000000-foundation.js';
import { Operations1700000001000 } from './migrations/1700000001000-operations.js';
import { WorkflowEngine1700000002000 } from './migrations/1700000002000-workflow-engine.js';
import { PublishedViews1700000003000 } from './migrations/1700000003000-published-views.js';
import { RequestsAndNotifications1700000004000 } from './migrations/1700000004000-requests-and-notifications.js';
import { EventsSetAside1700000005000 } from './migrations/1700000005000-events-set-aside.js';
import { OutboxSetAside1700000006000 } from './migrations/1700000006000-outbox-set-aside.js';
import { Heartbeats1700000008000 } from './migrations/1700000008000-heartbeats.js';
import { ProcessedMessages1700000009000 } from './migrations/1700000009000-processed-messages.js';
import { TeamsAndPolicies1700000011000 } from './migrations/1700000011000-teams-and-policies.js';
import { MembersAndNarrowedKeys1700000012000 } from './migrations/1700000012000-members-and-narrowed-keys.js';
import { ScheduleVersions1700000013000 } from './migrations/1700000013000-schedule-versions.js';
import { BulkJobs1700000014000 } from './migrations/1700000014000-bulk-jobs.js';
import { MessagesInOrder1700000015000 } from './migrations/1700000015000-messages-in-order.js';
import { Paging1700000016000 } from './migrations/1700000016000-paging.js';
import { DefaultWorkflowPages1700000017000 } from './migrations/1700000017000-default-workflow-pages.js';
import { LooksForMissingPages1700000018000 } from './migrations/1700000018000-looks-for-missing-pages.js';
import { FeedsAndHandoffs1700000021000 } from './migrations/1700000021000-feeds-and-handoffs.js';
import { AccountsAndSessions1700000030000 } from './migrations/1700000030000-accounts-and-sessions.js';
import { SecondFactorsAndOpenId1700000031000 } from './migrations/1700000031000-second-factors-and-openid.js';
import { SavedViews1700000032000 } from './migrations/1700000032000-saved-views.js';
import { PushDevices1700000033000 } from './migrations/1700000033000-push-devices.js';
import { MergedIncidents1700000034000 } from './migrations/1700000034000-merged-incidents.js';
import { CausedRuns1700000035000 } from './migrations/1700000035000-caused-runs.js';
import { OrganizationLimits1700000035100 } from './migrations/1700000035100-organization-limits.js';
import { KeyLineage1700000036000 } from './migrations/1700000036000-key-lineage.js';
import { OpenRuns1700000038000 } from './migrations/1700000038000-open-runs.js';
import { DataKeys1700000039000 } from './migrations/1700000039000-data-keys.js';
import { AuditChain1700000039500 } from './migrations/1700000039500-audit-chain.js';
import { AuditEntriesBeforeTheChain1700000039600 } from './migrations/1700000039600-audit-entries-before-the-chain.js';
import { MessagesToDevices1700000040000 } from './migrations/1700000040000-messages-to-devices.js';
import { MailRecipients1700000041000 } from './migrations/1700000041000-mail-recipients.js';
import { Status1700000042000 } from './migrations/1700000042000-status.js';
import { AuditSignaturesAndSyslog1700000043000 } from './migrations/1700000043000-audit-signatures-and-syslog.js';
import { Retention1700000044000 } from './migrations/1700000044000-retention.js';
import { IncidentsOfGroups1700000047000 } from './migrations/1700000047000-incidents-of-groups.js';
import { IndexesOfOpenRows1700000048000 } from './migrations/1700000048000-indexes-of-open-rows.js';
import { WaitingInOrder1700000049000 } from './migrations/1700000049000-waiting-in-order.js';
import { DeletedMembers1700000052000 } from './migrations/1700000052000-deleted-members.js';
import { WaitingEvents1700000053000 } from './migrations/1700000053000-waiting-events.js';
import { CheckedEvents1700000054000 } from './migrations/1700000054000-checked-events.js';
import { UncompressedQueues1700000055000 } from './migrations/1700000055000-uncompressed-queues.js';
import { QuickCompression1700000056000 } from './migrations/1700000056000-quick-compression.js';
import { PackedPayloads1700000057000 } from './migrations/1700000057000-packed-payloads.js';
import { ensureRoles, type DatabaseService } from './roles.js';
import { postgresTls } from './tls.js';

export const migrations = [
  Foundation1700000000000,
  Operations1700000001000,
  WorkflowEngine1700000002000,
  PublishedViews1700000003000,
  RequestsAndNotifications1700000004000,
  EventsSetAside1700000005000,
  OutboxSetAside1700000006000,
  Heartbeats1700000008000,
  ProcessedMessages1700000009000,
  TeamsAndPolicies1700000011000,
  MembersAndNarrowedKeys1700000012000,
  ScheduleVersions1700000013000,
  BulkJobs1700000014000,
  MessagesInOrder1700000015000,
  Paging1700000016000,
  DefaultWorkflowPages1700000017000,
  LooksForMissingPages1700000018000,
  FeedsAndHandoffs1700000021000,
  AccountsAndSessions1700000030000,
  SecondFactorsAndOpenId1700000031000,
  SavedViews1700000032000,
  PushDevices1700000033000,
  MergedIncidents1700000034000,
  CausedRuns1700000035000,
  OrganizationLimits1700000035100,
  KeyLineage1700000036000,
  OpenRuns1700000038000,
  DataKeys1700000039000,
  AuditChain1700000039500,
  AuditEntriesBeforeTheChain1700000039600,
  MessagesToDevices1700000040000,
  MailRecipients1700000041000,
  Status1700000042000,
  AuditSignaturesAndSyslog1700000043000,
  Retention1700000044000,
  IncidentsOfGroups1700000047000,
  IndexesOfOpenRows1700000048000,
  WaitingInOrder1700000049000,
  DeletedMembers1700000052000,
  WaitingEvents1700000053000,
  CheckedEvents1700000054000,
  UncompressedQueues1700000055000,
  QuickCompression1700000056000,
  PackedPayloads1700000057000,
];

export async function migrate(
  adminUrl: string,
  passwords: Record<DatabaseService, string>,
  files?: TlsFiles,
): Promise<string[]> {
  const tls = postgresTls(adminUrl, files);
  const client = new pg.Client({ connectionString: adminUrl, ...tls });
  await client.connect();
  try {
    await ensureRoles(client, passwords);
    // Of two concurrent runs, the second waits here and then has nothing to do.
    await client.query("SELECT pg_advisory_lock(hashtext('ams migrations'))");
    const source = new DataSource({
      type: 'postgres',
      driver: pg, // as in `Database.open`
      url: adminUrl,
      ...tls,
      migrations,
      migrationsTableName: 'ams_migrations',
      migrationsTransactionMode: 'each',
      logging: false,
    });
    await source.initialize();
    try {
      return (await source.runMigrations()).map((migration) => migration.name);
    } finally {
      await source.destroy();
    }
  } finally {
    await client.end();
  }
}
