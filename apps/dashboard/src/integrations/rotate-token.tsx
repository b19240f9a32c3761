import { Button, Modal, Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Data } from '../api/operation-types.js';
import { invalidate } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import { texts } from '../texts/texts.js';
import { CodeBlock } from '../ui/code-block.js';
import { FormError } from '../ui/form-error.js';
import { Section } from '../ui/section.js';
import type { Integration } from './integration-page.js';
import { tryIt } from './sender-setup.js';
import formStyles from '../ui/form.module.css';
import styles from './integrations.module.css';

const hourSeconds = '3600';

/** A new URL, shown once; the old one may work for a while. */
export function RotateToken({ integration: { id, type } }: { integration: Integration }) {
  const said = texts.integrations.rotate;
  const [grace, setGrace] = useState(hourSeconds);
  const [rotated, setRotated] = useState<Data<'rotateIntegrationToken'> | null>(null);
  const rotate = useAct('rotateIntegrationToken', { onSuccess: ({ data }) => setRotated(data) });
  const queries = useQueryClient();
  // The page is read again only now: a new version of the record shows the form anew, without the URL.
  const close = (): void => {
    setRotated(null);
    void invalidate(queries, ['getIntegration', 'listIntegrations']);
  };
  return (
    <Section title={said.title} hint={said.hint}>
      <div className={formStyles.form}>
        <Select
          label={said.grace}
          value={grace}
          allowDeselect={false}
          onChange={(next) => setGrace(next ?? hourSeconds)}
          data={Object.entries(said.graces).map(([value, label]) => ({ value, label }))}
        />
        <FormError error={rotate.error} />
        <div className={formStyles.buttons}>
          <Button
            variant="default"
            loading={rotate.isPending}
            onClick={() => rotate.mutate({ path: { id }, body: { graceSeconds: Number(grace) } })}
          >
            {said.action}
          </Button>
        </div>
      </div>
      <Modal opened={rotated !== null} onClose={close} closeOnClickOutside={false} title={said.title} size="lg">
        {rotated !== null && (
          <div className={styles.parts}>
            <p>{said.done}</p>
            <CodeBlock title={texts.integrations.created.url} text={rotated.ingestUrl} isSecret />
            <CodeBlock title={texts.integrations.created.curl} text={tryIt(type, rotated)} />
            <div className={formStyles.buttons}>
              <Button onClick={close}>{said.close}</Button>
            </div>
          </div>
        )}
      </Modal>
    </Section>
  );
}
