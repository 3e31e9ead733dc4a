import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

const retriesMax = 2

/** A refusal is an answer; what failed otherwise is tried twice more. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < retriesMax && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    mutations: { retry: false },
  },
})
