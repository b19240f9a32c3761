import { ActionIcon, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { CheckIcon, PersonIcon } from '@radix-ui/react-icons';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useAct } from '../../api/use-act.js';
import { texts } from '../../texts/texts.js';
import { notifyFailed } from '../../ui/notify.js';
import { useSwitchEnvironment, useTestData } from '../environment.js';
import { beginSession, useSession } from '../session.js';
import { viewerZone, zoneChoice } from '../zone.js';

interface Choice {
  label: string;
  chosen: boolean;
  choose: () => void;
}

const Choices = ({ title, choices }: { title: string; choices: Choice[] }) => (
  <>
    <Menu.Label>{title}</Menu.Label>
    {choices.map(({ label, chosen, choose }) => (
      <Menu.Item
        key={label}
        role="menuitemradio"
        aria-checked={chosen}
        onClick={choose}
        rightSection={chosen ? <CheckIcon aria-hidden /> : null}
      >
        {label}
      </Menu.Item>
    ))}
  </>
);

/** The member, and how this browser shows things. */
export function AccountMenu() {
  const { member, account, organization, organizations } = useSession();
  const queries = useQueryClient();
  const signOut = useAct('signOut', {
    // A new page: nothing of the member stays in memory.
    onSuccess: () => location.assign('/sign-in'),
    onError: (error) => notifyFailed(texts.app.signOutFailed, error),
  });
  const switchOrganization = useAct('switchOrganization', {
    onSuccess: ({ data }) => {
      beginSession(queries, data);
      void navigate({ to: '/' });
    },
    onError: (error) => notifyFailed(texts.app.switchFailed, error),
  });
  const navigate = useNavigate();
  const isTest = useTestData();
  const switchTo = useSwitchEnvironment();
  const zone = zoneChoice.use();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes: MantineColorScheme[] = ['auto', 'light', 'dark'];
  return (
    <Menu position="bottom-end" width={240} shadow="md">
      <Menu.Target>
        <ActionIcon aria-label={`${texts.app.account}: ${member.name}`} radius="xl" size="lg" variant="light">
          <PersonIcon aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{account.email}</Menu.Label>
        <Menu.Item onClick={() => void navigate({ to: '/settings/profile' })}>{texts.app.profile}</Menu.Item>
        <Menu.Item onClick={() => signOut.mutate({})}>{texts.app.signOut}</Menu.Item>
        <Menu.Divider />
        {organizations.length > 1 && (
          <Choices
            title={texts.app.organization}
            choices={organizations.map(({ id, name }) => ({
              label: name,
              chosen: id === organization.id,
              choose: () => switchOrganization.mutate({ body: { organizationId: id } }),
            }))}
          />
        )}
        <Choices
          title={texts.app.environment}
          choices={[
            { label: texts.app.live, chosen: !isTest, choose: () => switchTo('live') },
            { label: texts.app.test, chosen: isTest, choose: () => switchTo('test') },
          ]}
        />
        <Choices
          title={texts.app.zone}
          choices={[
            {
              label: texts.app.myZone(viewerZone()),
              chosen: zone === 'viewer',
              choose: () => zoneChoice.set('viewer'),
            },
            { label: texts.app.utc, chosen: zone === 'UTC', choose: () => zoneChoice.set('UTC') },
          ]}
        />
        <Choices
          title={texts.app.colorScheme}
          choices={schemes.map((scheme) => ({
            label: texts.app[scheme],
            chosen: colorScheme === scheme,
            choose: () => setColorScheme(scheme),
          }))}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
