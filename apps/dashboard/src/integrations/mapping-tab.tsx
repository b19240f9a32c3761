import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import schema from 'schema:PutIntegration';
import { messagesByPath } from '../api/api-error.js';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { CodeBlock } from '../ui/code-block.js';
import { faultsOf } from '../ui/form-faults.js';
import { FormError } from '../ui/form-error.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import type { Integration } from './integration-page.js';
import { MappingForm } from './mapping-form.js';
import { MappingJson } from './mapping-json.js';
import { draftOf, jsonOf, mappingOf, writtenOf, type Draft } from './mapping.js';
import { PreviewPanel } from './preview-panel.js';
import { ReplayPanel } from './replay-panel.js';
import formStyles from '../ui/form.module.css';
import styles from './mapping.module.css';

/** How payloads become alerts, beside what becomes of those that have arrived. */
export function MappingTab({ integration }: { integration: Integration }) {
  const can = useCan();
  const [draft, setDraft] = useState(() => draftOf(mappingOf(integration)));
  const isChanged = jsonOf(draft) !== jsonOf(draftOf(mappingOf(integration)));
  return (
    <div className={styles.columns}>
      {can('updateIntegration') ? (
        <Editor integration={integration} draft={draft} setDraft={setDraft} isChanged={isChanged} />
      ) : (
        <div className={styles.editor}>
          <CodeBlock title={texts.integrations.mapping.jsonLabel} text={jsonOf(draft)} />
        </div>
      )}
      <div className={styles.beside}>
        {can('replayIntegration') && isChanged && <ReplayPanel id={integration.id} mapping={writtenOf(draft)} />}
        <PreviewPanel integration={integration} isChanged={isChanged} />
      </div>
    </div>
  );
}

interface EditorProps {
  integration: Integration;
  draft: Draft;
  setDraft: (draft: Draft) => void;
  isChanged: boolean;
}

function Editor({ integration, draft, setDraft, isChanged }: EditorProps) {
  const said = texts.integrations.mapping;
  const [view, setView] = useState<'form' | 'json'>('form');
  const [jsonFault, setJsonFault] = useState<string | null>(null);
  const saved = draftOf(mappingOf(integration));
  const { update, undo } = useSave(integration);
  const faults = [...(isChanged ? faultsOf(schema, writtenOf(draft)) : []), ...(update.error?.fields ?? [])];
  const messages = messagesByPath(faults);
  const isWrong = jsonFault !== null || (isChanged && faultsOf(schema, writtenOf(draft)).length > 0);
  return (
    <div className={styles.editor}>
      <div className={styles.bar}>
        <SegmentedControl
          size="xs"
          aria-label={said.view}
          value={view}
          onChange={(next) => {
            setView(next as typeof view);
            setJsonFault(null);
          }}
          data={[
            { value: 'form', label: said.form },
            { value: 'json', label: said.json },
          ]}
        />
        {isChanged && <span className={styles.dimmed}>{said.changed}</span>}
        <div className={styles.end}>
          {isChanged && (
            <Button variant="default" onClick={() => setDraft(saved)}>
              {said.reset}
            </Button>
          )}
          <Button
            disabled={!isChanged || isWrong}
            loading={update.isPending}
            onClick={() =>
              update.mutate(
                { path: { id: integration.id }, body: writtenOf(draft), ifVersion: integration.version },
                { onSuccess: () => notifyDone(said.saved, undo) },
              )
            }
          >
            {said.save}
          </Button>
        </div>
      </div>
      {faults.length > 0 && (
        <div role="alert" className={formStyles.fault}>
          {said.faults} {[...new Set(Object.values(messages))].join('; ')}
        </div>
      )}
      {(update.error?.fields.length ?? 1) === 0 && <FormError error={update.error} />}
      {view === 'form' ? (
        <MappingForm draft={draft} onChange={setDraft} errorAt={(path) => messages[path]} />
      ) : (
        <MappingJson draft={draft} onChange={setDraft} fault={jsonFault} onFault={setJsonFault} />
      )}
    </div>
  );
}

/** Saving, and what takes it back: the mapping as it was. */
function useSave(integration: Integration) {
  const said = texts.integrations;
  const changes = ['getIntegration', 'listIntegrations', 'previewIntegration'] as const;
  const update = useAct('updateIntegration', { changes });
  const back = useAct('updateIntegration', {
    changes,
    onSuccess: () => notifyDone(texts.ui.undone),
    onError: (error) => notifyFailed(said.changeFailed(integration.name), error),
  });
  return { update, undo: () => back.mutate({ path: { id: integration.id }, body: mappingOf(integration) }) };
}
