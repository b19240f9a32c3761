/**
 * What replaces messages on devices looks for those of an incident, and would read all notifications of the organization.
 * Expand only: an index.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MessagesToDevices1700000040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX notifications_to_devices ON workflows.notifications (incident_id) WHERE channel = 'push'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX workflows.notifications_to_devices');
  }
}
