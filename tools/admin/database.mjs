// The schema of the database and the roles of the services.
import { json } from './command-line.mjs';

const migrate = {
  summary:
    'creates the roles of the services with their passwords, and brings the schema to this release; run it before the ' +
    'services of the release',
  options: { json },
  // The schema may not exist yet, so no Database is opened.
  needsDatabase: false,
  async run({ settings, migrate: migrateDatabase, readSettings, RolePasswords }) {
    if (!settings.DATABASE_URL) throw new Error('DATABASE_URL is required: a role that may create roles and schemas.');
    const passwords = { ...readSettings(RolePasswords) };
    const record = await migrateDatabase(settings.DATABASE_URL, passwords, settings.databaseTls);
    return { record, lines: record.length > 0 ? record : ['The schema is current.'] };
  },
};

export const commands = { migrate };
