import { Box, Code, Collapse, Group, Loader, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCircleCheck, IconCircleDashed, IconCircleX, IconClock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Step } from './channel.ts'

const icons = {
  ok: <IconCircleCheck size={22} color="var(--mantine-color-teal-6)" aria-hidden />,
  failed: <IconCircleX size={22} color="var(--mantine-color-red-6)" aria-hidden />,
  waiting: <IconClock size={22} color="var(--mantine-color-yellow-7)" aria-hidden />,
  not_done: <IconCircleDashed size={22} color="var(--muted)" aria-hidden />,
} as const satisfies Record<Step['outcome'], unknown>

/** What was checked of a number, step by step: what came of it, and what to do where it failed. */
export function Steps({ steps, isBusy = false }: { steps: readonly Step[]; isBusy?: boolean }) {
  const { t } = useTranslation('channels')
  return (
    <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('steps.title')} aria-live="polite">
      {steps.map((step) => (
        <Group component="li" key={step.step} gap="sm" wrap="nowrap" align="flex-start">
          <Box h={22}>{isBusy ? <Loader size={20} aria-label={t('steps.checking')} /> : icons[step.outcome]}</Box>
          <Box style={{ minWidth: 0, flex: 1 }}>
            <Text size="sm" fw={600}>
              {t(`step.${step.step}`)}
              <Text span size="sm" fw={400} c="var(--muted)">
                {' · '}
                {isBusy ? t('steps.checking') : t(`outcome.${step.outcome}`)}
              </Text>
            </Text>
            {isBusy ? null : <Advice step={step} />}
          </Box>
        </Group>
      ))}
    </Stack>
  )
}

function Advice({ step }: { step: Step }) {
  const { t } = useTranslation('channels')
  if (step.outcome === 'waiting') return <Text size="sm">{t('advice.first_notice')}</Text>
  if (step.outcome !== 'failed') return null
  return (
    <Stack gap={4}>
      <Text size="sm">{t(`reason.${step.reason ?? 'unknown'}`)}</Text>
      {step.message === null ? null : <Said step={step} />}
    </Stack>
  )
}

/** What upstream said, for whoever wants to look it up. */
function Said({ step }: { step: Step }) {
  const { t } = useTranslation('channels')
  const [isOpen, { toggle }] = useDisclosure(false)
  return (
    <Box>
      <UnstyledButton onClick={toggle} aria-expanded={isOpen} fz="sm" c="var(--muted)" td="underline">
        {t('steps.details')}
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Code block mt={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {step.message}
          {step.code === null ? '' : ` (${step.code})`}
        </Code>
      </Collapse>
    </Box>
  )
}
