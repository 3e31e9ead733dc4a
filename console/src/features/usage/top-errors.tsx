import { Anchor, Badge, Box, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import type { Usage } from '../../api/generated/operations.ts'
import { Panel } from '../../ui/panel.tsx'
import { Said } from '../../ui/said.tsx'
import { useUpstreamAdvice } from '../../ui/upstream-codes.ts'
import { lastDayOf } from './months.ts'

/** Why sends failed, the most frequent reasons first, with what to do about each. */
export function TopErrors({ usage: { month, top_errors: errors } }: { usage: Usage }) {
  const { t, i18n } = useTranslation('usage')
  const { id: accountId, can } = useAccount()
  const adviceOf = useUpstreamAdvice()
  const number = new Intl.NumberFormat(i18n.language)
  if (errors.length === 0)
    return (
      <Panel title={t('errors.title')}>
        <Text size="sm" c="var(--muted)">
          {t('errors.none')}
        </Text>
      </Panel>
    )
  const failed = { status: 'failed', source: 'api', from: `${month}-01`, to: lastDayOf(month) } as const
  return (
    <Panel
      title={t('errors.title')}
      actions={
        can('messages:read') ? (
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/a/$accountId/messages" params={{ accountId }} search={failed} />}>
            {t('errors.see')}
          </Anchor>
        ) : undefined
      }
    >
      <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {errors.map(({ code, message, count }) => {
          const { title, advice } = adviceOf(code)
          return (
            <Group component="li" key={`${code} ${message}`} align="flex-start" wrap="nowrap" gap="md">
              <Box miw={28} ta="right" style={{ flexShrink: 0 }}>
                <Text fw={650} data-figure={`error.${code}`} style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {number.format(count)}
                </Text>
              </Box>
              <Box style={{ minWidth: 0 }}>
                <Group gap="xs">
                  <Text fw={600} size="sm">
                    {title}
                  </Text>
                  {code === null ? null : (
                    <Badge variant="default" tt="none" fw={500}>
                      {code}
                    </Badge>
                  )}
                </Group>
                <Text size="sm">{advice}</Text>
                <Said>{message}</Said>
              </Box>
            </Group>
          )
        })}
      </Stack>
    </Panel>
  )
}
