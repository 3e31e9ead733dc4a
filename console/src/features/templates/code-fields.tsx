import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../ui/panel.tsx'
import type { Draft } from './draft.ts'

type Props = { draft: Draft; onChange: (changes: Partial<Draft>) => void }

/** Of a template for codes: the platform words it, and leaves these choices. */
export function CodeFields({ draft: { code }, onChange }: Props) {
  const { t } = useTranslation('templates')
  const set = (changes: Partial<Draft['code']>) => onChange({ code: { ...code, ...changes } })
  return (
    <Panel title={t('part.code')} intro={t('part.code_intro')}>
      <Stack gap="md">
        <Checkbox label={t('code.warns')} checked={code.warns} onChange={(event) => set({ warns: event.currentTarget.checked })} />
        <TextInput
          type="number"
          label={t('code.minutes')}
          value={code.minutes}
          min={1}
          max={90}
          onChange={(event) => set({ minutes: event.currentTarget.value })}
        />
        <TextInput
          label={t('code.button')}
          value={code.button}
          maxLength={25}
          onChange={(event) => set({ button: event.currentTarget.value })}
        />
      </Stack>
    </Panel>
  )
}
