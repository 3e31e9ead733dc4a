import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodeSample } from '../../ui/code-sample.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'

/** Shows once what deliveries are signed with, and how a receiver checks it. */
export function SigningSecret({ title, secret, onClose }: { title: string; secret: string | null; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  return (
    <SecretOnce title={title} intro={t('secret.intro')} secret={secret} onClose={onClose}>
      <Text size="sm">{t('secret.sample')}</Text>
      <CodeSample code={sample} label={t('secret.sample_label')} heightMax={240} />
    </SecretOnce>
  )
}

// Works as it stands: what a journey checks with a delivery.
const sample = `import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 300

// body: the bytes of the request, before any parsing.
export function isFromPombo(header, body, secret) {
  const fields = header.split(',').map((part) => part.split('='))
  const t = fields.find(([name]) => name === 't')?.[1] ?? ''
  if (!(Math.abs(Date.now() / 1000 - Number(t)) <= toleranceSeconds)) return false
  const expected = createHmac('sha256', secret).update(t + '.').update(body).digest()
  return fields.some(([name, value]) => {
    const given = Buffer.from(name === 'v1' ? value : '', 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
`
