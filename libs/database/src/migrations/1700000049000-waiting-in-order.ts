import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The notifications that wait for earlier ones, almost always none. The end of each run and of each webhook searches
 * them. The condition has the part of 1700000048000.
 */
export class WaitingInOrder1700000049000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX notifications_waiting_in_order ON workflows.notifications (order_key, subject_version)
        WHERE waits_in_order AND attempts >= 0;
      CREATE INDEX notifications_waiting_of_alert ON workflows.notifications (alert_id)
        WHERE waits_in_order AND attempts >= 0;
      CREATE INDEX notifications_waiting_of_incident ON workflows.notifications (incident_id)
        WHERE waits_in_order AND attempts >= 0
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX workflows.notifications_waiting_of_incident;
      DROP INDEX workflows.notifications_waiting_of_alert;
      DROP INDEX workflows.notifications_waiting_in_order
    `);
  }
}
