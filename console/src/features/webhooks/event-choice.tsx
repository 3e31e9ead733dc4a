import { Checkbox, Fieldset, Input, Radio, SimpleGrid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type EventType, eventGroups, eventTypes, wordOf } from './webhook.ts'

type Wanted = EventType | '*'
type Props = { wanted: readonly Wanted[]; onChange: (wanted: Wanted[]) => void; error?: ReactNode }

/** Which events a webhook is told of: all, or some of them in plain words. */
export function EventChoice({ wanted, onChange, error }: Props) {
  const { t } = useTranslation('webhooks')
  const isAll = wanted.includes('*')
  return (
    <Input.Wrapper error={error}>
      <Stack gap="md">
        <Radio.Group
          label={t('form.events')}
          value={isAll ? 'all' : 'chosen'}
          onChange={(value) => onChange(value === 'all' ? ['*'] : ['message.received'])}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="all" label={t('events.all')} description={t('events.all_help')} />
            <Radio value="chosen" label={t('events.chosen')} />
          </Stack>
        </Radio.Group>
        {isAll ? null : (
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            {eventGroups.map((group) => (
              <Group key={group.name} group={group} wanted={wanted} onChange={onChange} />
            ))}
          </SimpleGrid>
        )}
      </Stack>
    </Input.Wrapper>
  )
}

function Group({ group, wanted, onChange }: { group: (typeof eventGroups)[number] } & Omit<Props, 'error'>) {
  const { t } = useTranslation('webhooks')
  const toggle = (event: EventType, isOn: boolean) => onChange(eventTypes.filter((each) => (each === event ? isOn : wanted.includes(each))))
  return (
    <Fieldset legend={t(`group.${group.name}`)} p="sm">
      <Stack gap="sm">
        {group.events.map((event) => (
          <Checkbox
            key={event}
            checked={wanted.includes(event)}
            onChange={({ currentTarget }) => toggle(event, currentTarget.checked)}
            label={t(`event.${wordOf(event)}`)}
            description={event}
          />
        ))}
      </Stack>
    </Fieldset>
  )
}
