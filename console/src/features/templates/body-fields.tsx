import { Button, Stack, Textarea, TextInput } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../ui/panel.tsx'
import { variablesIn } from '../../ui/template-parts.ts'
import { type Draft, nextVariable } from './draft.ts'
import { Examples } from './examples-fields.tsx'

type Props = { draft: Draft; onChange: (changes: Partial<Draft>) => void }

export function BodyFields({ draft: { body, bodyExamples, footer }, onChange }: Props) {
  const { t } = useTranslation('templates')
  const field = useRef<HTMLTextAreaElement>(null)
  const insert = () => {
    const at = field.current?.selectionStart ?? body.length
    const variable = nextVariable(body)
    // The new text is in the field before anything else is typed.
    flushSync(() => onChange({ body: `${body.slice(0, at)}${variable}${body.slice(field.current?.selectionEnd ?? at)}` }))
    field.current?.focus()
    field.current?.setSelectionRange(at + variable.length, at + variable.length)
  }
  return (
    <Panel title={t('part.body')} intro={t('part.body_intro')}>
      <Stack gap="md">
        <Textarea
          ref={field}
          label={t('body.text')}
          description={t('chars', { count: body.length, max: 1024 })}
          value={body}
          autosize
          minRows={4}
          maxRows={14}
          maxLength={1024}
          required
          onChange={(event) => onChange({ body: event.currentTarget.value })}
        />
        <Button variant="default" size="xs" leftSection={<IconBraces size={16} />} onClick={insert} style={{ alignSelf: 'flex-start' }}>
          {t('body.add_variable')}
        </Button>
        <Examples variables={variablesIn(body)} values={bodyExamples} onChange={(next) => onChange({ bodyExamples: next })} />
        <TextInput
          label={t('body.footer')}
          description={t('chars', { count: footer.length, max: 60 })}
          value={footer}
          maxLength={60}
          onChange={(event) => onChange({ footer: event.currentTarget.value })}
        />
      </Stack>
    </Panel>
  )
}
