import { ActionIcon, Button, Fieldset, Group, Menu, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../ui/panel.tsx'
import { variablesIn } from '../../ui/template-parts.ts'
import { buttonTypes, type Draft, type DraftButton } from './draft.ts'

const buttonsMax = 10

type Props = { draft: Draft; onChange: (changes: Partial<Draft>) => void }

export function ButtonFields({ draft: { buttons }, onChange }: Props) {
  const { t } = useTranslation('templates')
  const add = (type: DraftButton['type']) => {
    const key = Math.max(0, ...buttons.map((each) => each.key)) + 1
    onChange({ buttons: [...buttons, { key, type, text: '', value: '', example: '' }] })
  }
  const set = (key: number, changes: Partial<DraftButton>) =>
    onChange({ buttons: buttons.map((each) => (each.key === key ? { ...each, ...changes } : each)) })
  return (
    <Panel title={t('part.buttons')} intro={t('part.buttons_intro')}>
      <Stack gap="md">
        {buttons.map((button, i) => (
          <ButtonField
            key={button.key}
            number={i + 1}
            button={button}
            onChange={(changes) => set(button.key, changes)}
            onRemove={() => onChange({ buttons: buttons.filter((each) => each.key !== button.key) })}
          />
        ))}
        {buttons.length < buttonsMax ? (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="default" size="xs" leftSection={<IconPlus size={16} />} style={{ alignSelf: 'flex-start' }}>
                {t('button.add')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {buttonTypes.map((type) => (
                <Menu.Item key={type} onClick={() => add(type)}>
                  {t(`button.type.${type}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        ) : null}
      </Stack>
    </Panel>
  )
}

type FieldProps = { number: number; button: DraftButton; onChange: (changes: Partial<DraftButton>) => void; onRemove: () => void }

function ButtonField({ number, button: { type, text, value, example }, onChange, onRemove }: FieldProps) {
  const { t } = useTranslation('templates')
  return (
    <Fieldset legend={t('button.legend', { number, type: t(`button.type.${type}`) })}>
      <Group align="flex-end" wrap="nowrap" gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" style={{ flex: 1 }}>
          {type === 'COPY_CODE' ? null : (
            <TextInput
              label={t('button.text')}
              value={text}
              maxLength={25}
              onChange={(event) => onChange({ text: event.currentTarget.value })}
            />
          )}
          {type === 'QUICK_REPLY' ? null : (
            <TextInput
              label={t(`button.value.${type}`)}
              value={value}
              maxLength={2000}
              spellCheck={false}
              onChange={(event) => onChange({ value: event.currentTarget.value })}
            />
          )}
          {type === 'URL' && variablesIn(value).length > 0 ? (
            <TextInput
              label={t('button.example')}
              value={example}
              maxLength={2000}
              spellCheck={false}
              onChange={(event) => onChange({ example: event.currentTarget.value })}
            />
          ) : null}
        </SimpleGrid>
        <ActionIcon variant="default" size="lg" onClick={onRemove} aria-label={t('button.remove', { number })}>
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
    </Fieldset>
  )
}
