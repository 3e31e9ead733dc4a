import { Box } from '@mantine/core'
import type { ReactNode } from 'react'

/** The border around what is written. */
export function Frame({ children, isNote = false }: { children: ReactNode; isNote?: boolean }) {
  return (
    <Box
      style={{
        border: `1px solid ${isNote ? 'light-dark(#d9a400, #8a6d1a)' : 'var(--line)'}`,
        borderRadius: 12,
        background: isNote ? 'light-dark(#fff6d6, #3a3118)' : 'var(--surface)',
      }}
    >
      {children}
    </Box>
  )
}
