import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../ui/panel.tsx'
import { variablesIn } from '../../ui/template-parts.ts'
import { type Draft, headerFormats } from './draft.ts'
import { Examples } from './examples-fields.tsx'
import { SampleField } from './sample-field.tsx'

type Props = { draft: Draft; channelId: string | undefined; onChange: (changes: Partial<Draft>) => void }

export function HeaderFields({ draft: { header, headerExamples }, channelId, onChange }: Props) {
  const { t } = useTranslation('templates')
  const set = (changes: Partial<Draft['header']>) => onChange({ header: { ...header, ...changes } })
  const file = header.format === 'IMAGE' || header.format === 'VIDEO' || header.format === 'DOCUMENT' ? header.format : null
  return (
    <Panel title={t('part.header')} intro={t('part.header_intro')}>
      <Stack gap="md">
        <NativeSelect
          label={t('header.format')}
          value={header.format}
          data={headerFormats.map((value) => ({ value, label: t(`header.${value}`) }))}
          onChange={(event) => set({ format: headerFormats.find((each) => each === event.currentTarget.value) ?? 'NONE', handle: '' })}
        />
        {header.format === 'TEXT' ? (
          <>
            <TextInput
              label={t('header.text')}
              description={t('chars', { count: header.text.length, max: 60 })}
              value={header.text}
              maxLength={60}
              onChange={(event) => set({ text: event.currentTarget.value })}
            />
            <Examples
              variables={variablesIn(header.text)}
              values={headerExamples}
              onChange={(next) => onChange({ headerExamples: next })}
            />
          </>
        ) : null}
        {file !== null ? (
          <SampleField key={file} format={file} handle={header.handle} channelId={channelId} onHandle={(handle) => set({ handle })} />
        ) : null}
      </Stack>
    </Panel>
  )
}
