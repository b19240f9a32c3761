/** Saved views of lists. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { narrow } from './narrowing.js';
import { protect } from './row-level-security.js';

const resourceApi = 'ams_resource_api';

export class SavedViews1700000032000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE resources.views (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment public.environment NOT NULL,
        name text NOT NULL,
        page text NOT NULL,
        query jsonb NOT NULL,
        visibility text NOT NULL CHECK (visibility IN ('own', 'team', 'organization')),
        team_id uuid REFERENCES resources.teams ON DELETE CASCADE,
        -- The member who made it; null for one that a key made.
        owner_id uuid REFERENCES auth.members,
        position int NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        version int NOT NULL DEFAULT 1,
        CONSTRAINT views_team_check CHECK ((visibility = 'team') = (team_id IS NOT NULL)),
        CONSTRAINT views_owner_check CHECK (visibility = 'organization' OR owner_id IS NOT NULL)
      );
      CREATE INDEX views_list ON resources.views (organization_id, environment, position, id);
      CREATE INDEX views_by_creation ON resources.views (organization_id, environment, created_at DESC, id DESC);
      CREATE INDEX views_owner ON resources.views (owner_id) WHERE owner_id IS NOT NULL;
      CREATE INDEX views_team ON resources.views (team_id) WHERE team_id IS NOT NULL;
      GRANT SELECT, INSERT, UPDATE, DELETE ON resources.views TO ${resourceApi}, ${resourceApi}_principal;
    `);
    await protect(runner, 'resources.views', [resourceApi]);
    // They belong to members, or to the whole organization.
    await narrow(runner, 'resources.views', {});
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE resources.views');
  }
}
