import { AppShell, Badge, Box, Burger, Group, Menu, NavLink, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import { Link, Outlet, useMatchRoute, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../api/account.ts'
import { useMe } from '../api/me.ts'
import { PageLoading } from '../ui/states.tsx'
import { connectionPages, type PageItem, teamPages, workPages } from './pages.tsx'
import { PaletteButton } from './palette-button.tsx'
import { UserMenu } from './user-menu.tsx'

/** What surrounds every page of an account: where one is, where one can go, who one is. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const { t } = useTranslation('app')
  const account = useAccount()
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      styles={{ main: { height: '100dvh', display: 'flex', flexDirection: 'column' } }}
    >
      <a href="#content" className="skip-link">
        {t('skip_to_content')}
      </a>
      <AppShell.Header bg="var(--surface)" style={{ borderColor: 'var(--line)' }}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label={t('menu')} aria-expanded={isOpen} />
            <img src="/icon.svg" width={28} height={28} alt="" />
            <AccountMenu />
            {account.mode === 'test' ? <Badge color="orange">{t('test_mode')}</Badge> : null}
            {account.suspended ? <Badge color="red">{t('suspended')}</Badge> : null}
          </Group>
          <Group gap="sm" wrap="nowrap" style={{ flexShrink: 0 }}>
            <PaletteButton />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar bg="var(--surface)" style={{ borderColor: 'var(--line)' }} aria-label={t('menu')}>
        <AppShell.Section grow p="xs" style={{ overflowY: 'auto', minHeight: 0 }}>
          <Stack gap={4}>
            <Links items={workPages} onGo={close} />
            <Heading>{t('nav.connection')}</Heading>
            <Links items={connectionPages} onGo={close} />
            <Heading>{t('nav.team')}</Heading>
            <Links items={teamPages} onGo={close} />
          </Stack>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main>
        <Box id="content" tabIndex={-1} style={{ flex: 1, minHeight: 0, overflow: 'auto', outline: 'none' }}>
          <Suspense fallback={<PageLoading />}>
            <Outlet />
          </Suspense>
        </Box>
      </AppShell.Main>
    </AppShell>
  )
}

function Heading({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" fw={600} c="var(--muted)" px="sm" pt="md" pb={4}>
      {children}
    </Text>
  )
}

function Links({ items, onGo }: { items: readonly PageItem[]; onGo: () => void }) {
  const { t } = useTranslation('app')
  const { id, can } = useAccount()
  const matchRoute = useMatchRoute()
  return items
    .filter(({ scope }) => scope === null || can(scope))
    .map(({ to, name, icon }) => (
      <NavLink
        key={name}
        label={t(`nav.${name}`)}
        leftSection={icon}
        active={matchRoute({ to, params: { accountId: id }, fuzzy: name !== 'home' }) !== false}
        renderRoot={(props) => (
          <Link {...props} to={to} params={{ accountId: id }} onClick={onGo} activeOptions={{ exact: name === 'home' }} />
        )}
        style={{ borderRadius: 'var(--mantine-radius-md)' }}
      />
    ))
}

function AccountMenu() {
  const { t } = useTranslation('app')
  const { id, name } = useAccount()
  const me = useMe()
  const navigate = useNavigate()
  const accounts = me.data?.accounts ?? []
  if (accounts.length < 2)
    return (
      <Text fw={600} truncate>
        {name}
      </Text>
    )
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton aria-label={t('switch_account', { name })} style={{ minWidth: 0 }}>
          <Group gap={4} wrap="nowrap">
            <Text fw={600} truncate>
              {name}
            </Text>
            <IconSelector size={16} />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {accounts.map((each) => (
          <Menu.Item
            key={each.id}
            rightSection={each.id === id ? <IconCheck size={16} /> : null}
            onClick={() => void navigate({ to: '/a/$accountId', params: { accountId: each.id } })}
          >
            {each.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
