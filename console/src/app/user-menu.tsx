import { Avatar, Menu, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import { IconFlask, IconLanguage, IconLogout, IconMoon, IconSun, IconSunMoon, IconUser } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount, useChange } from '../api/account.ts'
import { addressOf } from '../api/client.ts'
import { forgetKept } from '../api/kept.ts'
import { useMe, useMeAgain } from '../api/me.ts'
import { type Language, setLanguage } from './language.ts'
import { setMode } from './mode.ts'

const schemes = [
  ['light', <IconSun key="light" size={16} />],
  ['dark', <IconMoon key="dark" size={16} />],
  ['auto', <IconSunMoon key="auto" size={16} />],
] as const

/** Who one is, how the console looks and speaks, and the way out. */
export function UserMenu() {
  const { t, i18n } = useTranslation('app')
  const me = useMe()
  const { id, mode } = useAccount()
  const navigate = useNavigate()
  const changeMe = useChange('PATCH /me')
  const meAgain = useMeAgain()
  const client = useQueryClient()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const user = me.data?.user
  const otherLanguage: Language = i18n.language === 'en' ? 'pt-BR' : 'en'

  // Chosen for the person, as on their profile; should that fail, it is chosen for this browser.
  const speak = (language: Language) => {
    void setLanguage(language)
    changeMe.mutate({ body: { language } }, { onSuccess: () => void meAgain() })
  }
  const signOut = async () => {
    await fetch(addressOf('/sign-out', {}), { method: 'POST', credentials: 'same-origin' })
    client.clear()
    forgetKept()
    await navigate({ to: '/sign-in' })
  }
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton>
          <Avatar color="pombo" name={user?.name ?? '?'} radius="xl" size={34} />
          {/* Beside the initials, not in their place: who commands by voice says what is seen. */}
          <VisuallyHidden>{t('user.menu', { name: user?.name ?? '' })}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user?.email}</Menu.Label>
        <Menu.Item
          leftSection={<IconUser size={16} />}
          onClick={() => void navigate({ to: '/a/$accountId/me', params: { accountId: id } })}
        >
          {t('user.profile')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFlask size={16} />} onClick={() => setMode(mode === 'test' ? 'live' : 'test')}>
          {mode === 'test' ? t('user.leave_test_mode') : t('user.enter_test_mode')}
        </Menu.Item>
        <Menu.Divider />
        {schemes.map(([scheme, icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={icon}
            onClick={() => setColorScheme(scheme)}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            fw={colorScheme === scheme ? 600 : 400}
          >
            {t(`scheme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLanguage size={16} />} lang={otherLanguage} onClick={() => speak(otherLanguage)}>
          {otherLanguage === 'en' ? 'English' : 'Português'}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t('user.sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
