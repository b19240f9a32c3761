import { useShortcuts } from '../app/shortcuts.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import type { ListControl } from '../ui/use-list.js';
import { useUpdateIncident, type Incident } from './use-update-incident.js';

/** The keys that act on the row of the list. */
export function IncidentListKeys({ control, rows }: { control: ListControl; rows: readonly Incident[] }) {
  const can = useCan();
  const { acknowledge, resolve } = useUpdateIncident();
  const on = (act: (incident: Incident) => void) => (): void => {
    const incident = rows.find(({ id }) => id === control.state.active);
    if (incident) act(incident);
  };
  useShortcuts(
    texts.incidents.title,
    can('updateIncident')
      ? [
          {
            keys: 'a',
            label: texts.incidents.acknowledge,
            run: on((incident) => incident.status === 'triggered' && acknowledge(incident)),
          },
          {
            keys: 'r',
            label: texts.incidents.resolve,
            run: on((incident) => {
              if (incident.status !== 'resolved') void resolve(incident);
            }),
          },
        ]
      : [],
  );
  return null;
}
