import { useDebouncedValue } from '@mantine/hooks'
import { useReadList } from '../../api/account.ts'
import { justBefore, withCountry } from './phone-search.ts'

const typingMs = 300
const pageSize = 100

/**
 * The opt-outs whose phone begins with these digits; all where there are none. The list is in the order of the phones and can be entered
 * anywhere, so that nothing has to be looked through.
 */
export function useOptOuts(text: string) {
  const [wanted] = useDebouncedValue(text.replaceAll(/\D/g, ''), typingMs)
  const options = { positionOf: (item: { phone: string; user_id?: string }) => item.phone || (item.user_id ?? '') }
  const read = useReadList('GET /account/marketing-opt-outs', { query: { limit: pageSize, ...justBefore(wanted) } }, options)
  const abroad = withCountry(wanted)
  const second = useReadList(
    'GET /account/marketing-opt-outs',
    { query: { limit: pageSize, ...justBefore(abroad ?? '') } },
    { ...options, enabled: abroad !== null },
  )
  if (wanted === '') return { read, items: read.items }
  const found = [
    ...read.items.filter(({ phone }) => phone.startsWith(wanted)),
    ...(abroad === null ? [] : second.items.filter(({ phone }) => phone.startsWith(abroad))),
  ]
  const hasMore = (items: typeof read.items, start: string) => items.at(-1)?.phone.startsWith(start) === true
  const goesOn = read.hasNextPage && hasMore(read.items, wanted)
  const secondGoesOn = abroad !== null && second.hasNextPage && hasMore(second.items, abroad)
  return {
    items: found,
    read: {
      isPending: read.isPending || (abroad !== null && second.isPending),
      error: read.error ?? second.error,
      refetch: () => Promise.all([read.refetch(), ...(abroad === null ? [] : [second.refetch()])]),
      hasNextPage: goesOn || secondGoesOn,
      isFetchingNextPage: read.isFetchingNextPage || second.isFetchingNextPage,
      fetchNextPage: () => (goesOn ? read.fetchNextPage() : second.fetchNextPage()),
    },
  }
}
