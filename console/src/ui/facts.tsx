import { Box, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

export type Fact = { name: string; label: string; value: ReactNode }

/** What is known of something, as pairs of a word and its value, side by side where there is room. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="lg" verticalSpacing="md" m={0}>
      {facts.map(({ name, label, value }) => (
        <Box key={name} style={{ minWidth: 0 }}>
          <Text component="dt" size="xs" c="var(--muted)" mb={2}>
            {label}
          </Text>
          <Box component="dd" m={0} fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Box>
        </Box>
      ))}
    </SimpleGrid>
  )
}
