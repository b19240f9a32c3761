import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Data } from '../api/operation-types.js';
import { cannotShow, read } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { LinkTabs } from '../ui/link-tabs.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import { PageError } from '../ui/page-error.js';
import { PageHeader } from '../ui/page-header.js';
import { PageSkeleton } from '../ui/skeletons.js';
import { ToneMark } from '../ui/tone-mark.js';
import { LinkButton } from '../ui/link-button.js';
import { FirstRequest } from './first-request.js';
import { integrationRoute, tabs } from './integrations.routes.js';
import { MappingTab } from './mapping-tab.js';
import { RequestsTab } from './requests-tab.js';
import { senderOf } from './senders.js';
import { SettingsTab } from './settings-tab.js';
import { TypeMark } from './type-mark.js';
import styles from './integrations.module.css';

export type Integration = Data<'getIntegration'>;

export function IntegrationPage() {
  const { id } = integrationRoute.useParams();
  const { tab = 'requests' } = integrationRoute.useSearch();
  const found = useQuery(read('getIntegration', { path: { id } }));
  if (found.isPending) return <PageSkeleton />;
  if (cannotShow(found)) return <PageError list="/integrations" found={found} />;
  const integration = found.data;
  return (
    <>
      <PageHeader
        title={integration.name}
        aside={
          <>
            <TypeMark type={integration.type} />
            <span className={styles.hint}>{senderOf(integration.type).name}</span>
            {!integration.enabled && <ToneMark tone="neutral">{texts.integrations.disabled}</ToneMark>}
          </>
        }
        actions={<Actions integration={integration} />}
      >
        <LinkTabs label={texts.integrations.tabsLabel}>
          {tabs.map((name) => (
            <Link
              key={name}
              to="/integrations/$id"
              params={{ id }}
              search={{ tab: name }}
              aria-current={tab === name ? 'page' : undefined}
              activeProps={{}}
            >
              {texts.integrations.tabs[name]}
            </Link>
          ))}
        </LinkTabs>
      </PageHeader>
      {!integration.enabled && <div className={styles.band}>{texts.integrations.disabledBand}</div>}
      {tab === 'requests' && integration.enabled && integration.lastEventAt === null && (
        <div className={styles.waits}>
          <FirstRequest id={id} />
        </div>
      )}
      {tab === 'requests' && <RequestsTab id={id} />}
      {tab === 'mapping' && <MappingTab key={integration.version} integration={integration} />}
      {tab === 'settings' && <SettingsTab key={integration.version} integration={integration} />}
    </>
  );
}

/** Its alerts, and the switch, which can be turned back at once. */
function Actions({ integration: { id, name, enabled } }: { integration: Integration }) {
  const can = useCan();
  const said = texts.integrations;
  const change = useAct('updateIntegration', {
    changes: ['getIntegration', 'listIntegrations'],
    onError: (error) => notifyFailed(said.changeFailed(name), error),
  });
  const turn = (on: boolean): void =>
    change.mutate(
      { path: { id }, body: { enabled: on } },
      { onSuccess: () => notifyDone(on ? said.enabledDone(name) : said.disabledDone(name), () => turn(!on)) },
    );
  return (
    <>
      {can('listAlerts') && (
        <LinkButton to="/alerts" search={{ integrationId: [id] }} variant="default">
          {said.alerts}
        </LinkButton>
      )}
      {can('updateIntegration') && (
        <Button variant={enabled ? 'default' : 'filled'} loading={change.isPending} onClick={() => turn(!enabled)}>
          {enabled ? said.disable : said.enable}
        </Button>
      )}
    </>
  );
}
