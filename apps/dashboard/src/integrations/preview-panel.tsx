import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Item } from '../api/operation-types.js';
import { cannotShow, read } from '../api/queries.js';
import { useZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { ErrorState } from '../ui/error-state.js';
import { JsonEditor } from '../ui/json-editor.js';
import { useNow } from '../ui/now.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { shortTime } from '../ui/time.js';
import type { Integration } from './integration-page.js';
import { integrationRoute } from './integrations.routes.js';
import { payloadOf } from './preview-rows.js';
import { PreviewItems } from './preview-items.js';
import { readable } from './request-items.js';
import { lastRequests } from './requests-tab.js';
import styles from './mapping.module.css';

const own = 'own';
const example = '{\n  "title": "Disk is almost full",\n  "severity": "medium",\n  "host": "web-01"\n}';

/** What becomes of a payload that has arrived, or of one that is typed. */
export function PreviewPanel({ integration, isChanged }: { integration: Integration; isChanged: boolean }) {
  const said = texts.integrations.mapping;
  const { request } = integrationRoute.useSearch();
  const navigate = integrationRoute.useNavigate();
  const found = useQuery(lastRequests(integration.id));
  const [typed, setTyped] = useState(example);
  const labelOf = useRequestLabel();
  if (found.isPending) return <RowsSkeleton />;
  const requests = (found.data ?? []).filter(({ payload }) => payload !== null);
  const chosen = request === own ? undefined : (requests.find(({ id }) => id === request) ?? requests[0]);
  return (
    <section className={styles.box} aria-labelledby="preview">
      <h2 id="preview">{said.preview}</h2>
      {isChanged && <p className={styles.dimmed}>{said.previewSaved}</p>}
      {requests.length === 0 ? <p className={styles.dimmed}>{said.noPayloads}</p> : null}
      <Select
        label={said.payload}
        allowDeselect={false}
        value={chosen?.id ?? own}
        onChange={(next) => void navigate({ search: { tab: 'mapping', request: next ?? undefined }, replace: true })}
        data={[...requests.map((each) => ({ value: each.id, label: labelOf(each) })), { value: own, label: said.own }]}
      />
      {chosen === undefined ? (
        <JsonEditor key={own} label={said.payloadLabel} value={typed} onChange={setTyped} />
      ) : (
        <JsonEditor key={chosen.id} label={said.payloadLabel} value={readable(chosen.payload ?? '')} readOnly />
      )}
      <Previewed
        integration={integration}
        text={chosen?.payload ?? typed}
        contentType={chosen === undefined ? null : chosen.contentType}
      />
    </section>
  );
}

function useRequestLabel(): (request: Item<'listIntegrationRequests'>) => string {
  const zone = useZone();
  const now = useNow();
  const said = texts.integrations;
  return ({ receivedAt, outcome }) =>
    said.mapping.last(shortTime(receivedAt, zone, now), said.requests.outcomes[outcome]);
}

interface PreviewedProps {
  integration: Integration;
  text: string;
  contentType: string | null;
}

function Previewed({ integration: { id }, text, contentType }: PreviewedProps) {
  const said = texts.integrations.mapping;
  const [shown] = useDebouncedValue(text, 300);
  const payload = payloadOf(shown, contentType);
  const found = useQuery({
    ...read('previewIntegration', { path: { id }, body: { payload: payload as never } }),
    enabled: payload !== undefined,
    placeholderData: (before) => before,
  });
  if (payload === undefined) return <p className={styles.dimmed}>{said.notJson}</p>;
  if (cannotShow(found)) return <ErrorState error={found.error} retry={() => void found.refetch()} />;
  if (found.isPending) return <RowsSkeleton rows={5} />;
  if (found.data.kind === 'handshake') return <p>{said.handshake}</p>;
  return <PreviewItems items={found.data.items} />;
}
