import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'
import { meKey } from './me.ts'

const retriesMax = 2

/** A refusal is an answer; what failed otherwise is tried twice more. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => (queryKey[0] === meKey[0] ? undefined : askWhoOneIs(error)) }),
  mutationCache: new MutationCache({ onError: askWhoOneIs }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < retriesMax && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    mutations: { retry: false },
  },
})

/** What is refused to a person may mean that their session, membership or role is no longer what this page believes. */
export function askWhoOneIs(error: unknown): void {
  if (error instanceof ApiError && [401, 403, 404].includes(error.status)) void queryClient.invalidateQueries({ queryKey: meKey })
}
