import { Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../api/account.ts'
import { phoneWords } from '../../../ui/phone.ts'
import { Empty, ErrorNote, Loading } from '../../../ui/states.tsx'
import classes from '../inbox.module.css'
import { personName } from '../person.ts'
import { ConversationRow } from './conversation-row.tsx'
import { Marked } from './marked.tsx'
import { shortMoment } from './short-moment.ts'

type Props = { asked: string; openId: string | null; onOpen: (id: string, message?: string) => void }

/** Shorter words are in everything. */
const askedCharsMin = 2
const againMs = 3_000

/** People who are called so, and messages that say so. */
export function SearchResults({ asked, openId, onOpen }: Props) {
  const { t, i18n } = useTranslation('inbox')
  const isEnough = asked.length >= askedCharsMin
  const read = useRead(
    'GET /account/search',
    { query: { q: asked } },
    {
      enabled: isEnough,
      placeholderData: (before) => before,
      // What was written a moment ago is found a moment later.
      refetchInterval: ({ state: { data } }) =>
        data !== undefined && data.conversations.length + data.messages.length === 0 ? againMs : false,
    },
  )
  if (!isEnough) return <Empty title={t('search.more')} />
  if (read.error) return <ErrorNote error={read.error} retry={() => void read.refetch()} />
  if (read.data === undefined) return <Loading lines={6} />
  const { conversations, messages } = read.data
  if (conversations.length + messages.length === 0) return <Empty title={t('search.none')}>{t('search.none_text')}</Empty>
  return (
    <Stack gap={0} className={classes.results} aria-busy={read.isPlaceholderData}>
      {conversations.length === 0 ? null : (
        <section aria-label={t('search.people')}>
          <Title order={2} className={classes.group}>
            {t('search.people')}
          </Title>
          {conversations.map((each) => (
            <ConversationRow key={each.id} conversation={each} isOpen={each.id === openId} isMarked={false} />
          ))}
        </section>
      )}
      {messages.length === 0 ? null : (
        <section aria-label={t('search.messages')}>
          <Title order={2} className={classes.group}>
            {t('search.messages')}
          </Title>
          {messages.map((each) => (
            <button type="button" key={each.id} className={classes.row} onClick={() => onOpen(each.conversation_id, each.id)}>
              <span className={classes.rowText}>
                <span className={classes.hitHead}>
                  <Text size="sm" fw={550} truncate dir="auto">
                    {each.direction === 'outbound' ? t('search.ours', { name: personName(each.contact) }) : personName(each.contact)}
                  </Text>
                  <Text size="xs" c="var(--muted)" style={{ flexShrink: 0 }}>
                    {shortMoment(each.created_at, new Date(), i18n.language)}
                  </Text>
                </span>
                <Text size="sm" lineClamp={2} c="var(--muted)" dir="auto">
                  <Marked text={each.snippet} asked={asked} />
                </Text>
                {each.contact.name === null ? null : (
                  <Text size="xs" c="var(--muted)">
                    {phoneWords(each.contact.phone)}
                  </Text>
                )}
              </span>
            </button>
          ))}
        </section>
      )}
    </Stack>
  )
}
