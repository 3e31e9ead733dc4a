import { type InfiniteData, type UseQueryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useMemo } from 'react'
import { type Answer, type ApiError, call, type Input, type Mode, type Operation } from './client.ts'

/** Which account and mode the page is about, and what the role may do there. */
export type Account = {
  id: string
  name: string
  role: 'owner' | 'admin' | 'agent' | 'viewer'
  /** What the role may do; null: everything. */
  scopes: readonly string[] | null
  suspended: boolean
  mode: Mode
}

export const AccountContext = createContext<Account | null>(null)

/** The account of this page. */
export function useAccount(): Account & { can: (scope: string) => boolean } {
  const account = useContext(AccountContext)
  if (account === null) throw new Error('this page is on no account')
  return useMemo(() => ({ ...account, can: (scope) => account.scopes === null || account.scopes.includes(scope) }), [account])
}

/** The key under which an operation's answer is kept. Without an input: all answers of that operation in this account and mode. */
export function keyOf<Name extends Operation>(account: Pick<Account, 'id' | 'mode'> | null, name: Name, input?: Input<Name>) {
  const place = [account?.id ?? null, account?.mode ?? null, name] as const
  return input === undefined ? place : ([...place, input] as const)
}

type ReadOptions<Name extends Operation> = Pick<
  UseQueryOptions<Answer<Name>, ApiError>,
  'enabled' | 'refetchInterval' | 'staleTime' | 'placeholderData'
>

/** Reads an operation, and keeps its answer. Outside of an account `account` is null. */
export function useRead<Name extends Operation>(name: Name, input: Input<Name>, options: ReadOptions<Name> = {}) {
  const account = useContext(AccountContext)
  return useQuery<Answer<Name>, ApiError>({
    queryKey: keyOf(account, name, input),
    queryFn: ({ signal }) => call(name, input, { accountId: account?.id, mode: account?.mode ?? 'live', signal }),
    ...options,
  })
}

type Listed<Item> = { data: Item[]; has_more: boolean }
type ListOperation = { [Name in Operation]: Answer<Name> extends Listed<unknown> ? Name : never }[Operation]
type ItemOf<Name extends Operation> = Answer<Name> extends Listed<infer Item> ? Item : never

type ListOptions<Item> = {
  positionOf?: (item: Item) => string
  /** In milliseconds; may go by what is loaded. */
  refetchInterval?: number | ((items: readonly Item[]) => number | false)
  enabled?: boolean
}

/**
 * Reads a list page by page: `items` is all that is loaded. `positionOf` is what `starting_after` takes, the item's id when left out; a
 * page that says its `next` itself is believed.
 */
export function useReadList<Name extends ListOperation>(name: Name, input: Input<Name>, options: ListOptions<ItemOf<Name>> = {}) {
  const account = useContext(AccountContext)
  const { positionOf = (item) => (item as { id: string }).id, refetchInterval, ...rest } = options
  const read = useInfiniteQuery<Answer<Name>, ApiError, InfiniteData<Answer<Name>>, readonly unknown[], string | null>({
    queryKey: [...keyOf(account, name, input), 'pages'],
    queryFn: ({ signal, pageParam }) => {
      const { query } = input as { query?: object }
      const asked = { ...input, query: { ...query, ...(pageParam === null ? {} : { starting_after: pageParam }) } } as Input<Name>
      return call(name, asked, { accountId: account?.id, mode: account?.mode ?? 'live', signal })
    },
    initialPageParam: null,
    getNextPageParam: (page) => {
      const { data, has_more, next } = page as unknown as Listed<ItemOf<Name>> & { next?: string | null }
      if (next !== undefined) return next
      const last = data.at(-1)
      return has_more && last !== undefined ? positionOf(last) : undefined
    },
    refetchInterval: ({ state }) =>
      typeof refetchInterval === 'function' ? refetchInterval(itemsOf<Name>(state.data?.pages)) : (refetchInterval ?? false),
    ...rest,
  })
  const items = useMemo(() => itemsOf<Name>(read.data?.pages), [read.data])
  return { ...read, items }
}

const itemsOf = <Name extends ListOperation>(pages: readonly Answer<Name>[] = []) =>
  pages.flatMap((page) => (page as unknown as Listed<ItemOf<Name>>).data)

type ChangeOptions<Name extends Operation> = {
  /** Operations whose kept answers are read anew afterwards. */
  invalidates?: readonly Operation[]
  onSuccess?: (answer: Answer<Name>) => void
}

/** An operation that changes something, with what is to be read anew afterwards. */
export function useChange<Name extends Operation>(name: Name, { invalidates = [], onSuccess }: ChangeOptions<Name> = {}) {
  const account = useContext(AccountContext)
  const client = useQueryClient()
  return useMutation<Answer<Name>, ApiError, Input<Name> & { idempotencyKey?: string }>({
    mutationFn: ({ idempotencyKey, ...input }) =>
      call(name, input as unknown as Input<Name>, { accountId: account?.id, mode: account?.mode ?? 'live', idempotencyKey }),
    onSuccess: async (answer) => {
      onSuccess?.(answer)
      await Promise.all(invalidates.map((each) => client.invalidateQueries({ queryKey: keyOf(account, each) })))
    },
  })
}
