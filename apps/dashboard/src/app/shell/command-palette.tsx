/** ⌘K: what was typed as a search, what the present page offers, every page, new records, how this browser shows things. */
import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { GearIcon, MagnifyingGlassIcon, QuestionMarkCircledIcon } from '@radix-ui/react-icons';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sections } from '../../settings/sections.js';
import { texts } from '../../texts/texts.js';
import { useCommandGroups } from '../commands.js';
import { useCan } from '../session.js';
import { useShortcuts } from '../shortcuts.js';
import { zoneChoice } from '../zone.js';
import { useNavigation } from './navigation.js';

export { spotlight };

type Group = SpotlightActionGroupData;

/** Records with a form that has an address. */
const newRecords: readonly { operation: keyof typeof texts.newRecords; path: string; search?: object }[] = [
  { operation: 'createIncident', path: '/incidents', search: { new: '-' } },
  { operation: 'createSuppressionWindow', path: '/suppression/new' },
  { operation: 'createIntegration', path: '/integrations/new' },
  { operation: 'createWorkflow', path: '/workflows/new' },
  { operation: 'createClient', path: '/clients/new' },
  { operation: 'createApiKey', path: '/settings/api-keys/new' },
];

export function CommandPalette() {
  const navigate = useNavigate();
  const can = useCan();
  const [query, setQuery] = useState('');
  const entries = useNavigation();
  const open = (path: string, search: object = {}): void => void navigate({ to: path as '/', search: search as never });
  useShortcuts(
    texts.app.goTo,
    entries.map(({ key, label, path }) => ({ keys: `g ${key}`, label, run: () => open(path) })),
  );
  const ofPage = useCommandGroups();
  const offered = new Set(ofPage.flatMap(({ commands }) => commands.map(({ id }) => id)));
  return (
    <Spotlight
      shortcut={['mod + K']}
      query={query}
      onQueryChange={setQuery}
      highlightQuery
      scrollable
      maxHeight={420}
      nothingFound={texts.app.nothingFound}
      searchProps={{ leftSection: <MagnifyingGlassIcon aria-hidden />, placeholder: texts.app.searchPlaceholder }}
      actions={[
        ...ofPage.map(({ title, commands }) => ({
          group: title,
          actions: commands.map(({ id, label, words, run }) => ({ id, label, keywords: words, onClick: run })),
        })),
        useSearches(query.trim(), open),
        {
          group: texts.app.goTo,
          actions: [
            ...entries.map(({ path, label, icon: Icon }) => ({
              id: path,
              label,
              leftSection: <Icon aria-hidden />,
              onClick: () => open(path),
            })),
            {
              id: 'routing',
              label: texts.app.whoWouldBePaged,
              leftSection: <QuestionMarkCircledIcon aria-hidden />,
              onClick: () => open('/routing'),
            },
            ...sections
              .filter(({ operation }) => operation === undefined || can(operation))
              .map(({ path, label }) => ({
                id: path,
                label: texts.app.inSettings(label),
                leftSection: <GearIcon aria-hidden />,
                onClick: () => open(path),
              })),
          ],
        },
        {
          group: texts.app.newRecord,
          actions: newRecords
            .filter(({ operation }) => can(operation) && !offered.has(operation))
            .map(({ operation, path, search }) => ({
              id: operation,
              label: texts.newRecords[operation],
              onClick: () => open(path, search),
            })),
        },
        useAppearance(),
      ]}
    />
  );
}

/** What was typed, as a search of a list, or as the number of an incident. It matches whatever is typed. */
function useSearches(words: string, open: (path: string, search?: object) => void): Group {
  const can = useCan();
  const [, number] = /^#?(\d{1,9})$/.exec(words) ?? [];
  const search = (path: string, label: string) => ({
    id: `search ${path}`,
    label,
    keywords: words,
    onClick: () => open(path, { q: words }),
  });
  return {
    group: texts.app.find,
    actions:
      words === ''
        ? []
        : [
            ...(number !== undefined && can('listIncidents')
              ? [
                  {
                    id: 'incident',
                    label: texts.app.openIncident(number),
                    keywords: words,
                    onClick: () => open(`/incidents/${number}`),
                  },
                ]
              : []),
            ...(can('listAlerts') ? [search('/alerts', texts.app.findAlerts(words))] : []),
            ...(can('listIncidents') ? [search('/incidents', texts.app.findIncidents(words))] : []),
          ],
  };
}

function useAppearance(): Group {
  const { setColorScheme } = useMantineColorScheme();
  const zone = zoneChoice.use();
  const next = zone === 'UTC' ? 'viewer' : 'UTC';
  return {
    group: texts.app.appearance,
    actions: [
      ...(['light', 'dark', 'auto'] as const).map((scheme) => ({
        id: `colours ${scheme}`,
        label: texts.app.colours(texts.app[scheme]),
        onClick: () => setColorScheme(scheme),
      })),
      { id: 'zone', label: texts.app.timesIn[next], onClick: () => zoneChoice.set(next) },
    ],
  };
}
