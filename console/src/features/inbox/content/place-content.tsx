import { Anchor, Text } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from '../inbox.module.css'
import { numberAt, textAt } from './parts.ts'

/** Where somebody is: drawn here, so that no map is asked before somebody wants one. */
export function PlaceContent({ content }: { content: unknown }) {
  const { t } = useTranslation('inbox')
  const latitude = numberAt(content, 'latitude')
  const longitude = numberAt(content, 'longitude')
  const name = textAt(content, 'name')
  const address = textAt(content, 'address')
  if (latitude === null || longitude === null) return <Text size="sm">{name ?? address ?? t('kind.location')}</Text>
  const place = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
  return (
    <div className={classes.place}>
      <svg viewBox="0 0 280 96" className={classes.map} aria-hidden="true">
        <path d="M0 30 L280 8 M0 70 L280 52 M60 0 L48 96 M150 0 L162 96 M236 0 L222 96" />
        <path d="M0 96 C70 60 120 88 190 44 S 280 30 280 30" className={classes.river} />
        <circle cx="140" cy="48" r="18" className={classes.near} />
        <circle cx="140" cy="48" r="6" className={classes.here} />
      </svg>
      <Text size="sm" fw={550} component="div">
        <IconMapPin size={15} aria-hidden style={{ verticalAlign: '-2px', marginRight: 4 }} />
        {name ?? t('kind.location')}
      </Text>
      {address === null ? null : <Text size="sm">{address}</Text>}
      <Text size="xs" c="var(--muted)">
        {place}
      </Text>
      <Anchor
        size="sm"
        href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`}
        target="_blank"
        rel="noreferrer noopener"
        c="inherit"
        underline="always"
      >
        {t('place.open_map')}
      </Anchor>
    </div>
  )
}
