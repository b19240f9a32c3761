import { ActionIcon, Button, TagsInput, Textarea, TextInput } from '@mantine/core';
import { Cross2Icon, PlusIcon } from '@radix-ui/react-icons';
import type { Schema } from '@cfworker/json-schema';
import { texts } from '../texts/texts.js';
import { FormError } from '../ui/form-error.js';
import { Section } from '../ui/section.js';
import { useForm, type Form } from '../ui/use-form.js';
import { ZoneSelect } from '../ui/zone-select.js';
import { bodyOf, type ClientValues } from './client-values.js';
import formStyles from '../ui/form.module.css';
import styles from './clients.module.css';

export interface ClientFormProps {
  schema: Schema;
  initial: ClientValues;
  send: (values: ClientValues) => Promise<unknown>;
  action: string;
}

export function ClientForm({ schema, initial, send, action }: ClientFormProps) {
  const said = texts.clients;
  const form = useForm<ClientValues>({ schema, initial, toBody: bodyOf, send });
  return (
    <form onSubmit={form.submit} noValidate>
      <Section title={said.general}>
        <div className={formStyles.form}>
          <TextInput {...form.field('name')} label={said.name} required />
          <Textarea {...form.field('description')} label={said.description} autosize minRows={2} maxRows={8} />
          <ZoneSelect
            label={said.timezone}
            value={form.values.timezone}
            onChange={(zone) => form.set('timezone', zone ?? 'UTC')}
            error={form.errorAt('timezone')}
          />
        </div>
      </Section>
      <Section title={said.identify} hint={said.identifyHint}>
        <div className={formStyles.form}>
          <TextInput {...form.field('slug')} label={said.slug} description={said.slugHint} />
          <TextInput {...form.field('externalId')} label={said.externalId} />
          <TagsInput
            label={said.aliases}
            value={form.values.aliases}
            onChange={(aliases) => form.set('aliases', aliases)}
            acceptValueOnBlur
            error={form.errorAt('aliases') ?? form.errorAt('aliases[0]')}
          />
        </div>
      </Section>
      <Section title={said.contacts} hint={said.contactsHint}>
        <div className={formStyles.form}>
          <Contacts form={form} />
          <FormError error={form.error} />
          <div className={formStyles.buttons}>
            <Button type="submit" loading={form.isSending} disabled={!form.isChanged}>
              {action}
            </Button>
          </div>
        </div>
      </Section>
    </form>
  );
}

function Contacts({ form }: { form: Form<ClientValues> }) {
  const said = texts.clients;
  const { contacts } = form.values;
  return (
    <>
      {contacts.map((contact, i) => (
        <div key={i} className={styles.contact}>
          <TextInput
            aria-label={said.contactName}
            placeholder={said.contactName}
            value={contact.name}
            onChange={({ currentTarget }) =>
              form.set('contacts', contacts.with(i, { ...contact, name: currentTarget.value }))
            }
            error={form.errorAt(`contacts[${i}].name`)}
          />
          <TextInput
            aria-label={said.contactEmail}
            placeholder={said.contactEmail}
            type="email"
            value={contact.email}
            onChange={({ currentTarget }) =>
              form.set('contacts', contacts.with(i, { ...contact, email: currentTarget.value }))
            }
            error={form.errorAt(`contacts[${i}].email`)}
          />
          <ActionIcon
            aria-label={said.removeContact(contact.name)}
            size="lg"
            onClick={() => form.set('contacts', contacts.toSpliced(i, 1))}
          >
            <Cross2Icon aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div className={styles.row}>
        <Button
          variant="default"
          leftSection={<PlusIcon aria-hidden />}
          onClick={() => form.set('contacts', [...contacts, { name: '', email: '' }])}
        >
          {said.addContact}
        </Button>
      </div>
      {form.errorAt('contacts') !== undefined && <p className={formStyles.fault}>{form.errorAt('contacts')}</p>}
    </>
  );
}
