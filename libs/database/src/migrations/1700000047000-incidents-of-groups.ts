/**
 * An index for the incidents of a group, resolved ones too: each alert that asks for an incident looks for them. It
 * takes the place of the index for merged incidents.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IncidentsOfGroups1700000047000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX incidents_of_group ON alerts.incidents (organization_id, environment, group_key, created_at DESC)
        WHERE group_key IS NOT NULL;
      DROP INDEX alerts.incidents_merged_group;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX incidents_merged_group ON alerts.incidents (organization_id, environment, group_key)
        WHERE merged_into IS NOT NULL;
      DROP INDEX alerts.incidents_of_group;
    `);
  }
}
