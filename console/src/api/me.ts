import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, addressOf } from './client.ts'

/** Who has signed in, and the accounts that they belong to. */
export type Me = {
  user: { id: string; email: string; name: string; language: 'pt-BR' | 'en' | null; two_factor: boolean; has_password: boolean }
  accounts: { id: string; name: string; role: 'owner' | 'admin' | 'agent' | 'viewer'; scopes: string[] | null; suspended: boolean }[]
}

export const meKey = ['me'] as const

export async function readMe(): Promise<Me> {
  const answer = await fetch(addressOf('/me', {}), { credentials: 'same-origin' })
  if (!answer.ok) throw new ApiError({ status: answer.status, code: 'unauthorized', message: answer.statusText })
  return (await answer.json()) as Me
}

export function useMe() {
  return useQuery<Me, ApiError>({ queryKey: meKey, queryFn: readMe, staleTime: 60_000, refetchInterval: 60_000 })
}

/** Reads anew who has signed in: after they changed something of themselves. */
export function useMeAgain(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: meKey })
}
