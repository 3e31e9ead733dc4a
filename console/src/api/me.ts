import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, type ApiError, call } from './client.ts'

/** Who has signed in, and the accounts that they belong to. */
export type Me = Answer<'GET /me'>

export const meKey = ['me'] as const

export const readMe = (): Promise<Me> => call('GET /me', {})

export function useMe() {
  return useQuery<Me, ApiError>({ queryKey: meKey, queryFn: readMe, staleTime: 60_000, refetchInterval: 60_000 })
}

/** Reads anew who has signed in: after they changed something of themselves. */
export function useMeAgain(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: meKey })
}
