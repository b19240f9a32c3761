/**
 * Members can be deleted (ADR 73). Overrides of the past keep the id of a member who was deleted, so they have no foreign
 * key; whoever writes one holds its members (`auth.hold_members`). Expand only.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const callers = 'ams_auth, ams_auth_principal';
const overrideColumns = ['member_id', 'replaces_member_id'];

const ownerCheck = (withoutOwner: string): string => `
  ALTER TABLE resources.views DROP CONSTRAINT views_owner_check,
    ADD CONSTRAINT views_owner_check CHECK (${withoutOwner} OR owner_id IS NOT NULL)`;

export class DeletedMembers1700000052000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const column of overrideColumns)
      await runner.query(`ALTER TABLE resources.schedule_overrides DROP CONSTRAINT schedule_overrides_${column}_fkey`);
    await runner.query(ownerCheck(`visibility <> 'own'`));
    await runner.query(`
      -- What names a member, in both environments also for a principal. Overrides that have ended do not count.
      CREATE FUNCTION auth.member_references(organization uuid, member uuid, at timestamptz)
        RETURNS TABLE (resource text, id uuid, name text, environment text)
        LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
        SELECT 'schedule', s.id, s.name, s.environment::text
        FROM resources_views.schedule_members m JOIN resources_views.schedules s ON s.id = m.schedule_id
        WHERE m.organization_id = organization AND m.member_id = member
        UNION ALL
        SELECT 'override', o.id, s.name, s.environment::text
        FROM resources_views.schedule_overrides o JOIN resources_views.schedules s ON s.id = o.schedule_id
        WHERE o.organization_id = organization AND o.member_id = member AND o.ends_at > at
        UNION ALL
        SELECT 'workflow', w.id, w.name, w.environment::text
        FROM resources_views.workflow_references r JOIN resources_views.workflows w ON w.id = r.workflow_id
        WHERE r.organization_id = organization AND r.member_id = member
        UNION ALL
        SELECT 'escalation_policy', p.id, p.name, p.environment::text
        FROM resources_views.policy_references r JOIN resources_views.escalation_policies p ON p.id = r.policy_id
        WHERE r.organization_id = organization AND r.member_id = member
        UNION ALL
        SELECT 'team', t.id, t.name, t.environment::text
        FROM resources_views.team_members m JOIN resources_views.teams t ON t.id = m.team_id
        WHERE m.organization_id = organization AND m.member_id = member
        ORDER BY 1, 4, 3, 2
      $$;

      -- Deletes a member with all that belongs to the person, and the account when it has no other member. Returns the
      -- sessions that this ended. A foreign key refuses a member whom a schedule, workflow, policy or team names.
      CREATE FUNCTION auth.delete_member(organization uuid, member uuid) RETURNS SETOF uuid
        LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
      DECLARE
        account uuid;
      BEGIN
        SELECT m.account_id INTO account FROM auth.members m
        WHERE m.id = member AND m.organization_id = organization FOR UPDATE;
        IF NOT FOUND THEN RETURN; END IF;
        RETURN QUERY WITH deleted AS (
          DELETE FROM auth.sessions s WHERE s.member_id = member RETURNING s.id, s.ended_at
        ) SELECT d.id FROM deleted d WHERE d.ended_at IS NULL;
        DELETE FROM auth.account_tokens t WHERE t.member_id = member;
        DELETE FROM auth.account_mails m WHERE m.member_id = member;
        DELETE FROM auth.openid_teams t WHERE t.member_id = member;
        DELETE FROM auth.push_devices d WHERE d.member_id = member;
        DELETE FROM auth.member_windows w WHERE w.member_id = member;
        DELETE FROM resources.calendar_feeds f WHERE f.member_id = member;
        DELETE FROM resources.views v WHERE v.owner_id = member AND v.visibility = 'own';
        -- What others see too stays, as a view that a key has made.
        UPDATE resources.views SET owner_id = NULL WHERE owner_id = member;
        DELETE FROM auth.members m WHERE m.id = member;
        -- The layers for everybody leave the member out.
        INSERT INTO resources.everybody_changes (organization_id) VALUES (organization);
        IF account IS NULL THEN RETURN; END IF;
        -- Nobody becomes a member with this account meanwhile.
        PERFORM FROM auth.accounts a WHERE a.id = account FOR UPDATE;
        IF EXISTS (SELECT FROM auth.members m WHERE m.account_id = account) THEN RETURN; END IF;
        DELETE FROM auth.sessions s WHERE s.account_id = account;
        DELETE FROM auth.account_tokens t WHERE t.account_id = account;
        DELETE FROM auth.account_mails m WHERE m.account_id = account;
        DELETE FROM auth.accounts a WHERE a.id = account;
      END $$;
      REVOKE EXECUTE ON FUNCTION auth.member_references, auth.delete_member FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION auth.member_references, auth.delete_member TO ${callers};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION auth.member_references, auth.delete_member');
    await runner.query(`DELETE FROM resources.views WHERE visibility = 'team' AND owner_id IS NULL`);
    await runner.query(ownerCheck(`visibility = 'organization'`));
    await runner.query(`
      DELETE FROM resources.schedule_overrides o WHERE NOT EXISTS (SELECT FROM auth.members m WHERE m.id = o.member_id);
      UPDATE resources.schedule_overrides o SET replaces_member_id = NULL
        WHERE NOT EXISTS (SELECT FROM auth.members m WHERE m.id = o.replaces_member_id)`);
    for (const column of overrideColumns)
      await runner.query(`ALTER TABLE resources.schedule_overrides ADD CONSTRAINT schedule_overrides_${column}_fkey
        FOREIGN KEY (${column}) REFERENCES auth.members`);
  }
}
