import { createTheme, type MantineColorsTuple } from '@mantine/core'

const pombo: MantineColorsTuple = [
  '#e9f7f5',
  '#d3ece8',
  '#a6d9d1',
  '#76c5b9',
  '#4fb4a5',
  '#37a998',
  '#1f8f80',
  '#0f766e',
  '#0b635c',
  '#074f49',
]

/** One look for all pages: calm, dense enough for work, the same corners everywhere. */
export const theme = createTheme({
  primaryColor: 'pombo',
  // White on the next lighter one has too little contrast, in dark too.
  primaryShade: 7,
  colors: { pombo },
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, sans-serif, 'Noto Color Emoji', 'Apple Color Emoji', 'Segoe UI Emoji'",
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.125rem' }, h3: { fontSize: '1rem' } } },
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  components: {
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
    Modal: { defaultProps: { centered: true }, styles: { title: { fontWeight: 650 } } },
    // In its own color, the title of a yellow or orange one cannot be read.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    Badge: { defaultProps: { tt: 'none' } },
    Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } },
  },
})
