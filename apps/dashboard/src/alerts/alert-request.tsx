import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cannotShow, read } from '../api/queries.js';
import { useZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { CopyButton } from '../ui/copy-button.js';
import { EmptyState } from '../ui/empty-state.js';
import { ErrorState } from '../ui/error-state.js';
import { ExactTime } from '../ui/exact-time.js';
import { Facts } from '../ui/facts.js';
import { PanelSection } from '../ui/panel-section.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { exactTime } from '../ui/time.js';
import type { Alert } from './patch-alerts.js';
import { readable, requestsOfAlert } from './requests-of-alert.js';
import styles from './alerts.module.css';

/** What the sender sent, as it was received. */
export function AlertRequest({ alert: { id, integrationId, fingerprint } }: { alert: Alert }) {
  const zone = useZone();
  const [chosen, setChosen] = useState<string | null>(null);
  const requests = useQuery({
    ...read('listIntegrationRequests', { path: { id: integrationId ?? '' }, query: { limit: 100 } }),
    enabled: integrationId !== null,
  });
  const explanation = useQuery(read('explainAlert', { path: { id } }));
  const none = <EmptyState title={texts.alerts.request.none} hint={texts.alerts.request.noneHint} />;
  if (integrationId === null) return <EmptyState title={texts.alerts.request.noIntegration} />;
  if (requests.isPending || explanation.isPending) return <RowsSkeleton rows={5} />;
  if (cannotShow(requests)) return <ErrorState error={requests.error} retry={() => void requests.refetch()} />;
  const events = new Set(explanation.data?.events.map((event) => event.id));
  const found = requestsOfAlert(requests.data, events, fingerprint);
  const shown = found.find((request) => request.id === chosen) ?? found[0];
  if (shown === undefined) return none;
  const payload = readable(shown.payload ?? '');
  return (
    <div className={styles.tab}>
      {found.length > 1 && (
        <Select
          label={texts.alerts.request.other}
          allowDeselect={false}
          value={shown.id}
          onChange={setChosen}
          data={found.map((request) => ({ value: request.id, label: exactTime(request.receivedAt, zone) }))}
        />
      )}
      <Facts
        facts={[
          [texts.alerts.request.received, <ExactTime at={shown.receivedAt} />],
          [texts.alerts.request.status, `${shown.status} ${shown.outcome}`],
          [texts.alerts.request.kind, shown.api],
        ]}
      />
      <PanelSection title={texts.alerts.request.payload} aside={<CopyButton value={payload} />}>
        <pre className={styles.payload} tabIndex={0}>
          {payload}
        </pre>
      </PanelSection>
    </div>
  );
}
