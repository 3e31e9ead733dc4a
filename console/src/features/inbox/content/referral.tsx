import { Anchor, Text } from '@mantine/core'
import { IconSpeakerphone } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from '../inbox.module.css'
import { textAt } from './parts.ts'

/** The advertisement that brought the person here. */
export function Referral({ referral }: { referral: unknown }) {
  const { t } = useTranslation('inbox')
  if (typeof referral !== 'object' || referral === null) return null
  const address = URL.parse(textAt(referral, 'source_url') ?? '')
  return (
    <div className={classes.referral}>
      <Text size="xs" c="var(--muted)">
        <IconSpeakerphone size={13} aria-hidden style={{ verticalAlign: '-2px', marginRight: 4 }} />
        {textAt(referral, 'source_type') === 'post' ? t('referral.post') : t('referral.ad')}
      </Text>
      {textAt(referral, 'headline') === null ? null : (
        <Text size="sm" fw={550}>
          {textAt(referral, 'headline')}
        </Text>
      )}
      {textAt(referral, 'body') === null ? null : (
        <Text size="sm" lineClamp={3}>
          {textAt(referral, 'body')}
        </Text>
      )}
      {address !== null && /^https?:$/.test(address.protocol) ? (
        <Anchor href={address.href} target="_blank" rel="noreferrer noopener" size="xs" c="inherit" underline="always">
          {address.host}
        </Anchor>
      ) : null}
    </div>
  )
}
