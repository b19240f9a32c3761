/** ⌘K: every page, and what the present page offers. */
import { Spotlight } from '@mantine/spotlight';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useNavigate } from '@tanstack/react-router';
import { texts } from '../../texts/texts.js';
import { useCommandGroups } from '../commands.js';
import { useShortcuts } from '../shortcuts.js';
import { useNavigation } from './navigation.js';

export function CommandPalette() {
  const navigate = useNavigate();
  const entries = useNavigation();
  const open = (path: string): void => void navigate({ to: path as '/' });
  useShortcuts(
    texts.app.goTo,
    entries.map(({ key, label, path }) => ({ keys: `g ${key}`, label, run: () => open(path) })),
  );
  const groups = useCommandGroups();
  return (
    <Spotlight
      shortcut={['mod + K']}
      highlightQuery
      scrollable
      maxHeight={420}
      nothingFound={texts.app.nothingFound}
      searchProps={{ leftSection: <MagnifyingGlassIcon aria-hidden />, placeholder: texts.app.searchPlaceholder }}
      actions={[
        ...groups.map(({ title, commands }) => ({
          group: title,
          actions: commands.map(({ id, label, words, run }) => ({ id, label, keywords: words, onClick: run })),
        })),
        {
          group: texts.app.goTo,
          actions: entries.map(({ path, label, icon: Icon }) => ({
            id: path,
            label,
            leftSection: <Icon aria-hidden />,
            onClick: () => open(path),
          })),
        },
      ]}
    />
  );
}
