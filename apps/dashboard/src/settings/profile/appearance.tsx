import { SegmentedControl, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { viewerZone, zoneChoice } from '../../app/zone.js';
import { texts } from '../../texts/texts.js';
import { Section } from './section.js';

/** What this browser keeps for itself. */
export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const zone = zoneChoice.use();
  const schemes: MantineColorScheme[] = ['auto', 'light', 'dark'];
  return (
    <Section title={texts.profile.appearance}>
      <SegmentedControl
        aria-label={texts.profile.colorScheme}
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
        data={schemes.map((scheme) => ({ value: scheme, label: texts.app[scheme] }))}
      />
      <SegmentedControl
        aria-label={texts.profile.zone}
        value={zone}
        onChange={(choice) => zoneChoice.set(choice as typeof zone)}
        data={[
          { value: 'viewer', label: texts.app.myZone(viewerZone()) },
          { value: 'UTC', label: texts.app.utc },
        ]}
      />
    </Section>
  );
}
