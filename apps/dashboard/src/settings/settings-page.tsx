import { Link, Outlet } from '@tanstack/react-router';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { LinkTabs } from '../ui/link-tabs.js';
import { PageHeader } from '../ui/page-header.js';
import { sections } from './sections.js';

export function SettingsPage() {
  const can = useCan();
  return (
    <>
      <PageHeader title={texts.settings.title}>
        <LinkTabs label={texts.settings.title}>
          {sections
            .filter(({ operation }) => operation === undefined || can(operation))
            .map(({ path, label }) => (
              <Link key={path} to={path as '/settings'}>
                {label}
              </Link>
            ))}
        </LinkTabs>
      </PageHeader>
      <Outlet />
    </>
  );
}
