import { Box, Stack, Text } from '@mantine/core'
import { IconFile, IconFileText } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../../api/account.ts'
import type { TeamMessage } from '../../../api/generated/operations.ts'
import { FormattedText } from '../../../ui/formatted-text.tsx'
import { fillIn, readTemplate, type TemplateParts } from '../../../ui/template-parts.ts'
import { Choice, Choices } from './choices-content.tsx'
import { textAt } from './parts.ts'
import { valuesOf } from './template-values.ts'

const staleMs = 10 * 60_000

/** A template with what its places were filled with; its own words once they are read, else the values alone. */
export function TemplateContent({ message, content }: { message: TeamMessage; content: unknown }) {
  const { t } = useTranslation('inbox')
  const { can } = useAccount()
  const name = textAt(content, 'name')
  const language = textAt(content, 'language', 'code') ?? textAt(content, 'language')
  const template = useRead(
    'GET /account/templates/{name}',
    { path: { name: name ?? '' } },
    { enabled: name !== null && can('templates:read'), staleTime: staleMs },
  )
  const told = template.data?.data.find((each) => each.language === language)
  return (
    <Stack gap={4}>
      <Text size="xs" c="var(--muted)">
        <IconFileText size={13} aria-hidden style={{ verticalAlign: '-2px', marginRight: 4 }} />
        {name === null ? t('kind.template') : t('template.named', { name, language: language ?? '' })}
      </Text>
      {told === undefined ? (
        <Values message={message} content={content} />
      ) : (
        <Words parts={readTemplate(told.components)} content={content} />
      )}
    </Stack>
  )
}

function Words({ parts: { header, body, footer, buttons }, content }: { parts: TemplateParts; content: unknown }) {
  const { t } = useTranslation('inbox')
  const values = valuesOf(content)
  return (
    <>
      {header === null ? null : header.format === 'TEXT' ? (
        <Text fw={650}>{fillIn(header.text, values.header)}</Text>
      ) : (
        <Text size="sm" c="var(--muted)">
          <IconFile size={14} aria-hidden style={{ verticalAlign: '-2px', marginRight: 4 }} />
          {t('template.with_file', { kind: header.format.toLowerCase() })}
        </Text>
      )}
      <FormattedText text={fillIn(body, values.body)} />
      {footer === null ? null : (
        <Text size="xs" c="var(--muted)">
          {footer}
        </Text>
      )}
      {buttons.length === 0 ? null : (
        <Choices>
          {buttons.map((button, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no identity but their place
            <Choice key={i}>{button.text || '…'}</Choice>
          ))}
        </Choices>
      )}
    </>
  )
}

function Values({ message, content }: { message: TeamMessage; content: unknown }) {
  const values = Object.entries(valuesOf(content).body)
  if (values.length === 0) return message.text === null ? null : <Text size="sm">{message.text}</Text>
  return (
    <Box component="ul" m={0} pl="md">
      {values.map(([name, value]) => (
        <li key={name}>
          <Text size="sm" span>
            {value}
          </Text>
        </li>
      ))}
    </Box>
  )
}
