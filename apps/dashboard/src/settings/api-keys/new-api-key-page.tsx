import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import schema from 'schema:PostApiKey';
import type { Body, Data } from '../../api/operation-types.js';
import { useAct } from '../../api/use-act.js';
import { useTestData } from '../../app/environment.js';
import { texts } from '../../texts/texts.js';
import { CodeBlock } from '../../ui/code-block.js';
import { FormError } from '../../ui/form-error.js';
import { LinkButton } from '../../ui/link-button.js';
import { RecordChoices } from '../../ui/record-choice.js';
import { Section } from '../../ui/section.js';
import { useForm } from '../../ui/use-form.js';
import { expiryChoices, expiryOf, type ExpiryChoice } from './expiry.js';
import { SectionBar } from '../section-bar.js';
import { ScopeField } from './scope-field.js';
import formStyles from '../../ui/form.module.css';
import styles from '../settings.module.css';

export function NewApiKeyPage() {
  const [made, setMade] = useState<Data<'createApiKey'> | null>(null);
  return (
    <>
      <SectionBar title={texts.newRecords.createApiKey} />
      <div className={styles.narrow}>{made === null ? <NewKeyForm onMade={setMade} /> : <Made made={made} />}</div>
    </>
  );
}

interface Values {
  name: string;
  scopes: Body<'createApiKey'>['scopes'];
  clientIds: string[];
  teamIds: string[];
  expires: ExpiryChoice;
  date: string;
}

function bodyOf({ name, scopes, clientIds, teamIds, expires, date }: Values): Body<'createApiKey'> {
  const isRestricted = clientIds.length > 0 || teamIds.length > 0;
  return {
    name,
    scopes,
    expiry: expiryOf(expires, date, Date.now()),
    ...(isRestricted ? { restrictedTo: { clientIds, teamIds } } : {}),
  };
}

function NewKeyForm({ onMade }: { onMade: (made: Data<'createApiKey'>) => void }) {
  const said = texts.apiKeys.form;
  const isTest = useTestData();
  const create = useAct('createApiKey', { changes: ['listApiKeys'] });
  const form = useForm<Values>({
    schema,
    initial: { name: '', scopes: [], clientIds: [], teamIds: [], expires: 'never', date: '' },
    toBody: bodyOf,
    send: async (values) => onMade((await create.mutateAsync({ body: bodyOf(values) })).data),
  });
  const { values } = form;
  const scopesFault = form.errorAt('scopes') ?? form.errorAt('scopes[0]');
  return (
    <form onSubmit={form.submit} noValidate>
      <Section title={said.nameTitle} hint={said.environmentHint(isTest ? texts.app.test : texts.app.live)}>
        <div className={formStyles.form}>
          <TextInput
            {...form.field('name')}
            label={texts.apiKeys.name}
            description={said.nameHint}
            required
            autoFocus
          />
        </div>
      </Section>
      <Section title={said.scopesTitle} hint={said.scopesHint}>
        <ScopeField
          value={values.scopes}
          onChange={(scopes) => form.set('scopes', scopes)}
          error={scopesFault === undefined ? undefined : values.scopes.length === 0 ? said.scopesFault : scopesFault}
        />
      </Section>
      <Section title={said.restrictTitle} hint={said.restrictHint}>
        <div className={formStyles.form}>
          <RecordChoices
            noun="client"
            label={texts.apiKeys.clients}
            placeholder={values.clientIds.length === 0 ? said.clientsPlaceholder : undefined}
            value={values.clientIds}
            onChange={(ids) => form.set('clientIds', ids)}
            error={form.errorAt('restrictedTo.clientIds') ?? form.errorAt('restrictedTo')}
          />
          <RecordChoices
            noun="team"
            label={texts.apiKeys.teams}
            placeholder={values.teamIds.length === 0 ? said.teamsPlaceholder : undefined}
            value={values.teamIds}
            onChange={(ids) => form.set('teamIds', ids)}
            error={form.errorAt('restrictedTo.teamIds')}
          />
        </div>
      </Section>
      <Section title={said.expiryTitle}>
        <div className={formStyles.form}>
          <Select
            label={texts.apiKeys.expiry}
            allowDeselect={false}
            value={values.expires}
            onChange={(next) => form.set('expires', (next ?? 'never') as ExpiryChoice)}
            data={expiryChoices.map((value) => ({ value, label: said.expiries[value] }))}
            error={values.expires === 'date' ? undefined : form.errorAt('expiry')}
          />
          {values.expires === 'date' && (
            <TextInput {...form.field('date')} type="date" label={said.date} error={form.errorAt('expiry')} />
          )}
          <FormError error={form.error} />
          <div className={formStyles.buttons}>
            <Button type="submit" loading={form.isSending}>
              {said.create}
            </Button>
            <LinkButton to="/settings/api-keys" variant="default">
              {texts.ui.cancel}
            </LinkButton>
          </div>
        </div>
      </Section>
    </form>
  );
}

/** The key, once, and a request with it. */
function Made({ made: { key, scopes } }: { made: Data<'createApiKey'> }) {
  const said = texts.apiKeys.made;
  const path = scopes.includes('alerts:read') ? '/alerts?limit=5' : '/openapi.json';
  return (
    <Section title={said.title} hint={said.once}>
      <CodeBlock title={said.key} text={key} isSecret />
      <CodeBlock
        title={said.curl}
        text={`curl -sS '${location.origin}/api/v1${path}' \\\n  -H 'Authorization: Bearer ${key}'`}
      />
      <div className={formStyles.buttons}>
        <LinkButton to="/settings/api-keys">{said.done}</LinkButton>
      </div>
    </Section>
  );
}
