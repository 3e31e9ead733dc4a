import { Anchor, Box, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconExternalLink, IconList, IconPhone } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormattedText } from '../../../ui/formatted-text.tsx'
import classes from '../inbox.module.css'
import { listAt, textAt } from './parts.ts'

type Props = { content: unknown; text: string | null }

/** What was sent to be tapped: a text with its buttons, its list, or its form. */
export function ChoicesContent({ content, text }: Props) {
  const { t } = useTranslation('inbox')
  const header = textAt(content, 'header', 'text')
  const headerKind = textAt(content, 'header', 'type')
  const footer = textAt(content, 'footer', 'text')
  const body = textAt(content, 'body', 'text') ?? text
  return (
    <Stack gap={4}>
      {header === null ? null : <Text fw={650}>{header}</Text>}
      {header === null && headerKind !== null && headerKind !== 'text' ? (
        <Text size="xs" c="var(--muted)">
          {t('choices.header', { kind: headerKind })}
        </Text>
      ) : null}
      {body === null ? null : <FormattedText text={body} />}
      {footer === null ? null : (
        <Text size="xs" c="var(--muted)">
          {footer}
        </Text>
      )}
      <Actions content={content} />
    </Stack>
  )
}

function Actions({ content }: { content: unknown }) {
  const { t } = useTranslation('inbox')
  const buttons = listAt(content, 'action', 'buttons')
  const sections = listAt(content, 'action', 'sections')
  const parameters = (content as { action?: { parameters?: unknown } } | null)?.action?.parameters
  const kind = textAt(content, 'type')
  if (buttons.length > 0)
    return (
      <Choices>
        {buttons.map((button, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no identity but their place
          <Choice key={i} icon={<IconArrowBackUp size={14} />}>
            {textAt(button, 'reply', 'title') ?? '…'}
          </Choice>
        ))}
      </Choices>
    )
  if (sections.length > 0)
    return (
      <details className={classes.list}>
        <summary>
          <IconList size={14} aria-hidden /> {textAt(content, 'action', 'button') ?? t('choices.list')}
        </summary>
        {sections.map((section, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sections have no identity but their place
          <Box key={i} mt={4}>
            {textAt(section, 'title') === null ? null : (
              <Text size="xs" fw={600} c="var(--muted)">
                {textAt(section, 'title')}
              </Text>
            )}
            {[...listAt(section, 'rows'), ...listAt(section, 'product_items')].map((row, j) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
              <Box key={j} py={2}>
                <Text size="sm">{textAt(row, 'title') ?? textAt(row, 'product_retailer_id') ?? '…'}</Text>
                {textAt(row, 'description') === null ? null : (
                  <Text size="xs" c="var(--muted)">
                    {textAt(row, 'description')}
                  </Text>
                )}
              </Box>
            ))}
          </Box>
        ))}
      </details>
    )
  const link = textAt(parameters, 'url')
  const label = textAt(parameters, 'display_text') ?? textAt(parameters, 'flow_cta')
  if (label === null && kind !== 'location_request_message') return null
  return (
    <Choices>
      <Choice icon={<IconExternalLink size={14} />}>
        {link !== null && /^https?:/.test(link) ? (
          <Anchor href={link} target="_blank" rel="noreferrer noopener" inherit c="inherit" underline="always">
            {label}
          </Anchor>
        ) : (
          (label ?? t('choices.share_location'))
        )}
      </Choice>
    </Choices>
  )
}

export function Choices({ children }: { children: ReactNode }) {
  return (
    <Stack gap={4} mt={6} component="ul" className={classes.choices}>
      {children}
    </Stack>
  )
}

export function Choice({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <li className={classes.choice}>
      {icon ?? <IconPhone size={14} />}
      <span>{children}</span>
    </li>
  )
}

/** What the person tapped, chose or filled in. */
export function ReplyContent({ content, text }: Props) {
  const { t } = useTranslation('inbox')
  const description = textAt(content, 'list_reply', 'description')
  const form = textAt(content, 'nfm_reply', 'response_json')
  return (
    <Stack gap={2}>
      <Text size="xs" c="var(--muted)">
        <IconArrowBackUp size={13} aria-hidden style={{ verticalAlign: '-2px', marginRight: 4 }} />
        {form === null ? t('choices.chosen') : t('choices.filled_in')}
      </Text>
      {text === null ? null : (
        <Text size="sm" fw={550}>
          {text}
        </Text>
      )}
      {description === null ? null : <Text size="sm">{description}</Text>}
      {form === null ? null : <Answers form={form} />}
    </Stack>
  )
}

/** The answers of a form, as far as they are simple. */
function Answers({ form }: { form: string }) {
  const answers = answersOf(form)
  return (
    <Box component="dl" className={classes.answers}>
      {answers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </Box>
  )
}

const answersMax = 40

function answersOf(form: string): [string, string][] {
  try {
    const parsed: unknown = JSON.parse(form)
    if (typeof parsed !== 'object' || parsed === null) return []
    return Object.entries(parsed)
      .filter(([name]) => name !== 'flow_token')
      .slice(0, answersMax)
      .map(([name, value]) => [name.replaceAll('_', ' '), typeof value === 'string' ? value : JSON.stringify(value)])
  } catch {
    return []
  }
}
