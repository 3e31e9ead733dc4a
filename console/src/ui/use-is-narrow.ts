import { useMediaQuery } from '@mantine/hooks'

/** Whether the page is about as wide as a phone: tables are cards there, and large dialogs fill the screen. */
export const useIsNarrow = (): boolean => useMediaQuery('(max-width: 640px)') ?? false
