import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload, IconKey } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { download } from '../../ui/download.ts'

/** The codes for when the app is lost, shown this once. */
export function BackupCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const { t } = useTranslation('profile')
  const { t: tApp } = useTranslation('app')
  const text = `${codes.join('\n')}\n`
  return (
    <Stack>
      <Text size="sm">{t('set_up.backup.text')}</Text>
      <SimpleGrid
        cols={2}
        spacing="xs"
        component="ul"
        aria-label={t('set_up.backup.title')}
        style={{ listStyle: 'none', margin: 0, padding: 0 }}
      >
        {codes.map((code) => (
          <li key={code}>
            <Code block ta="center" fz="sm">
              {code}
            </Code>
          </li>
        ))}
      </SimpleGrid>
      <Group gap="xs" grow>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}>
              {copied ? tApp('copied') : tApp('copy')}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => download('pombo-backup-codes.txt', text, 'text/plain')}
        >
          {t('set_up.backup.download')}
        </Button>
      </Group>
      <Alert color="yellow" icon={<IconKey size={18} />}>
        {tApp('secret.once')}
      </Alert>
      <Group justify="flex-end">
        <Button onClick={onStored} data-autofocus>
          {tApp('secret.stored')}
        </Button>
      </Group>
    </Stack>
  )
}
