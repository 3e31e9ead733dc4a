import { ActionIcon, Box, Button, Group, Paper, Stack, Text, Title, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Language, setLanguage } from '../../app/language.ts'
import { useTitle } from '../../ui/title.ts'

type Props = { title: string; intro?: ReactNode; children?: ReactNode }

/** What surrounds the pages for those who have not signed in. */
export function Outside({ title, intro, children }: Props) {
  useTitle(title)
  return (
    <Box mih="100dvh" px="md" style={{ display: 'flex', flexDirection: 'column', background: backdrop }}>
      <Group component="header" justify="flex-end" py="md" gap="xs">
        <Looks />
      </Group>
      <Stack component="main" align="center" gap="lg" pt={{ base: 'md', sm: '8vh' }} pb="xl" style={{ flex: 1 }}>
        <Group gap="sm">
          <img src="/icon.svg" width={36} height={36} alt="" />
          <Text fw={700} fz="xl" lts="-0.01em">
            Pombo
          </Text>
        </Group>
        <Paper
          withBorder
          shadow="xs"
          p={{ base: 'lg', sm: 'xl' }}
          w="100%"
          maw={420}
          bg="var(--surface)"
          style={{ borderColor: 'var(--line)' }}
        >
          <Stack gap="lg">
            <Stack gap={6}>
              <Title order={1}>{title}</Title>
              {intro === undefined ? null : (
                <Text c="var(--muted)" size="sm" component="div">
                  {intro}
                </Text>
              )}
            </Stack>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Box>
  )
}

const backdrop =
  'radial-gradient(60rem 28rem at 50% -8rem, color-mix(in srgb, var(--mantine-primary-color-filled) 14%, transparent), transparent) var(--page)'

function Looks() {
  const { t, i18n } = useTranslation('sign-in')
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const other: Language = i18n.language === 'en' ? 'pt-BR' : 'en'
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        c="var(--muted)"
        lang={other}
        leftSection={<IconLanguage size={18} />}
        onClick={() => void setLanguage(other)}
      >
        {other === 'en' ? 'English' : 'Português'}
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="var(--muted)"
        size={40}
        aria-label={isDark ? t('look.light') : t('look.dark')}
        onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
      >
        {isDark ? <IconSun size={20} /> : <IconMoon size={20} />}
      </ActionIcon>
    </>
  )
}
