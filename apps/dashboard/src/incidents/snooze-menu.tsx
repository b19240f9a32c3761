import { Button, Menu, TextInput } from '@mantine/core';
import { ChevronDownIcon } from '@radix-ui/react-icons';
import { useState, type FormEvent } from 'react';
import { useShortcuts } from '../app/shortcuts.js';
import { useZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { FormDialog } from '../ui/form-dialog.js';
import { useNow } from '../ui/now.js';
import { clockTime } from '../ui/time.js';
import { inputTime, snoozeChoices, typedEnd, type SnoozeChoice } from './snooze.js';
import { useUpdateIncident, type Incident } from './use-update-incident.js';

const said = texts.incidents.snoozeMenu;

/** Acknowledges the incident until a time. */
export function SnoozeMenu({ incident }: { incident: Incident }) {
  const zone = useZone();
  const now = useNow();
  const { change } = useUpdateIncident();
  const [isOpen, setIsOpen] = useState(false);
  const [isExact, setIsExact] = useState(false);
  useShortcuts(texts.incidents.acts, [{ keys: 's', label: texts.incidents.snooze, run: () => setIsOpen(true) }]);
  const { number, status, snoozedUntil } = incident;
  const snooze = (until: string): void =>
    void change(
      incident,
      { snoozedUntil: until },
      texts.incidents.snoozed(number),
      status === 'triggered' ? { snoozedUntil: null } : undefined,
    );
  const labelOf = ({ kind, count, until }: SnoozeChoice): string =>
    kind === 'tomorrow' ? said.tomorrow(clockTime(until, zone).slice(0, 5)) : said[kind](count);
  return (
    <>
      <Menu position="bottom-end" opened={isOpen} onChange={setIsOpen}>
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDownIcon aria-hidden />}>
            {texts.incidents.snooze}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{said.title}</Menu.Label>
          {snoozeChoices(now, zone).map((choice) => (
            <Menu.Item key={choice.kind + choice.count} onClick={() => snooze(choice.until)}>
              {labelOf(choice)}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setIsExact(true)}>{said.exact}</Menu.Item>
          {snoozedUntil !== null && (
            <>
              <Menu.Divider />
              <Menu.Item
                onClick={() => void change(incident, { snoozedUntil: null }, texts.incidents.unsnoozed(number))}
              >
                {said.end}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isExact && <ExactSnooze onClose={() => setIsExact(false)} onPick={snooze} />}
    </>
  );
}

function ExactSnooze({ onClose, onPick }: { onClose: () => void; onPick: (until: string) => void }) {
  const zone = useZone();
  const [typed, setTyped] = useState(() => inputTime(Date.now() + 3_600_000, zone));
  const [isSent, setIsSent] = useState(false);
  const until = typedEnd(typed, zone, Date.now());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsSent(true);
    if (until === null) return;
    onClose();
    onPick(until);
  };
  return (
    <FormDialog
      title={texts.incidents.snooze}
      action={texts.incidents.snooze}
      close={onClose}
      form={{ submit, error: null, isSending: false }}
    >
      <TextInput
        type="datetime-local"
        label={said.until}
        description={zone}
        value={typed}
        error={isSent && until === null ? said.range : undefined}
        data-autofocus
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </FormDialog>
  );
}
