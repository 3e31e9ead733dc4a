import { ActionIcon, Box, Code, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

type Props = { code: string; label: string /** In pixels; what is longer scrolls. */; heightMax?: number }

/** Lines of code or data, to be read and taken along. */
export function CodeSample({ code, label, heightMax = 320 }: Props) {
  return (
    <Box pos="relative">
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={label}
        pr={48}
        style={{ minHeight: 46, maxHeight: heightMax, overflow: 'auto', background: 'var(--page)', border: '1px solid var(--line)' }}
      >
        {code}
      </Code>
      <Box pos="absolute" top={4} right={4}>
        <CopyIcon value={code} label={label} />
      </Box>
    </Box>
  )
}

/** Copies a text; `label` says which one. */
export function CopyIcon({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation('app')
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copied') : t('copy')}>
          <ActionIcon
            variant="default"
            onClick={(event) => {
              event.stopPropagation()
              copy()
            }}
            aria-label={copied ? t('copied') : t('copy_named', { name: label })}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
