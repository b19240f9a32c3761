import { Link, Outlet } from '@tanstack/react-router';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { PageHeader } from '../ui/page-header.js';
import { sections } from './sections.js';
import styles from './settings.module.css';

export function SettingsPage() {
  const can = useCan();
  return (
    <>
      <PageHeader title={texts.settings.title}>
        <nav className={styles.sections} aria-label={texts.settings.title}>
          {sections
            .filter(({ operation }) => operation === undefined || can(operation))
            .map(({ path, label }) => (
              <Link key={path} to={path as '/settings'} className={styles.section}>
                {label}
              </Link>
            ))}
        </nav>
      </PageHeader>
      <Outlet />
    </>
  );
}
