import { Box, Group, SegmentedControl, Table, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

export type Series = { label: string; color: string }
/** One bar: `label` stands below it, `title` is its name in full, `values` are in the order of the series, from the bottom up. */
export type Bar = { label: string; title: string; values: readonly number[] }

type Props = {
  label: string
  /** What the bars are: the head of their column in the table. */
  head: string
  series: readonly Series[]
  bars: readonly Bar[]
}

/** Stacked bars, with the same figures as a table. The arrow keys go from bar to bar. */
export function BarChart(props: Props) {
  const { label, series } = props
  const { t } = useTranslation('chart')
  const [shown, setShown] = useState<'bars' | 'table'>('bars')
  return (
    <Box>
      <Group justify="space-between" mb="sm" gap="xs">
        <Group gap="md" component="ul" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {series.map((each) => (
            <Group key={each.label} gap={6} component="li">
              <span aria-hidden="true" style={{ width: 12, height: 12, borderRadius: 3, background: each.color }} />
              <Text size="sm">{each.label}</Text>
            </Group>
          ))}
        </Group>
        <SegmentedControl
          size="xs"
          value={shown}
          onChange={(value) => setShown(value === 'table' ? 'table' : 'bars')}
          data={[
            { value: 'bars', label: t('bars') },
            { value: 'table', label: t('table') },
          ]}
          aria-label={t('show_as', { label })}
        />
      </Group>
      {shown === 'bars' ? <Bars {...props} /> : <Figures {...props} />}
    </Box>
  )
}

const height = 220
const room = { top: 28, right: 4, bottom: 24, left: 44 }

function Bars({ label, series, bars }: Props) {
  const { i18n } = useTranslation('app')
  const { ref, width } = useElementSize()
  const [active, setActive] = useState<number | null>(null)
  const [stop, setStop] = useState(0)
  const nodes = useRef<(SVGGElement | null)[]>([])
  const number = new Intl.NumberFormat(i18n.language)
  const compact = new Intl.NumberFormat(i18n.language, { notation: 'compact' })
  const top = roundUp(Math.max(1, ...bars.map(({ values }) => sum(values))))
  const inner = { width: Math.max(0, width - room.left - room.right), height: height - room.top - room.bottom }
  const step = inner.width / Math.max(1, bars.length)
  const barWidth = Math.min(56, Math.max(2, step * 0.7))
  const y = (value: number) => room.top + inner.height * (1 - value / top)
  const every = Math.max(1, Math.ceil(longest(bars) / Math.max(1, step)))
  const words = (bar: Bar) => `${bar.title}: ${series.map((each, i) => `${number.format(bar.values[i] ?? 0)} ${each.label}`).join(', ')}`
  const shown = active === null ? undefined : bars[active]

  const go = (event: KeyboardEvent, i: number) => {
    const last = bars.length - 1
    const next = { ArrowRight: Math.min(last, i + 1), ArrowLeft: Math.max(0, i - 1), Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    setStop(next)
    nodes.current[next]?.focus()
  }
  return (
    <Box ref={ref} style={{ position: 'relative' }}>
      {width === 0 ? (
        <Box h={height} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: the bars of a drawing are no fieldset
        <svg width={width} height={height} role="group" aria-label={label} style={{ display: 'block' }}>
          {[0, 0.5, 1].map((part) => (
            // biome-ignore lint/a11y/noAriaHiddenOnFocusable: lines and figures of the scale cannot be focused
            <g key={part} aria-hidden="true">
              <line x1={room.left} x2={width - room.right} y1={y(top * part)} y2={y(top * part)} stroke="var(--line)" />
              <text x={room.left - 8} y={y(top * part) + 4} textAnchor="end" fontSize={12} fill="var(--muted)">
                {compact.format(top * part)}
              </text>
            </g>
          ))}
          {bars.map((bar, i) => (
            // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a part of a drawing, which the arrow keys reach
            <g
              key={bar.title}
              ref={(node) => {
                nodes.current[i] = node
              }}
              role="img"
              aria-label={words(bar)}
              // One stop for all bars: the arrows go on from it.
              tabIndex={i === Math.min(stop, bars.length - 1) ? 0 : -1}
              onFocus={() => setActive(i)}
              onBlur={() => setActive(null)}
              onMouseEnter={() => setActive(i)}
              onMouseLeave={() => setActive(null)}
              onKeyDown={(event) => go(event, i)}
            >
              <rect
                x={room.left + step * i}
                y={room.top}
                width={step}
                height={inner.height}
                fill={active === i ? 'var(--line)' : 'transparent'}
                fillOpacity={0.6}
              />
              {segmentsOf(bar).map(({ from, to, at }) => (
                <rect
                  key={at}
                  x={room.left + step * i + (step - barWidth) / 2}
                  y={y(to)}
                  width={barWidth}
                  height={Math.max(0, y(from) - y(to))}
                  rx={Math.min(3, barWidth / 4)}
                  fill={series[at]?.color}
                />
              ))}
              {i % every === 0 ? (
                <text x={room.left + step * (i + 0.5)} y={height - 6} textAnchor="middle" fontSize={12} fill="var(--muted)">
                  {bar.label}
                </text>
              ) : null}
            </g>
          ))}
        </svg>
      )}
      <Text
        size="xs"
        fw={500}
        aria-hidden="true"
        style={{ position: 'absolute', top: 0, right: 0, visibility: shown === undefined ? 'hidden' : 'visible' }}
      >
        {shown === undefined ? '–' : words(shown)}
      </Text>
    </Box>
  )
}

function Figures({ label, head, series, bars }: Props) {
  const { i18n } = useTranslation('app')
  const number = new Intl.NumberFormat(i18n.language)
  return (
    <Table.ScrollContainer minWidth={260} maxHeight={360} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': label } }}>
      <Table aria-label={label} stickyHeader verticalSpacing={6}>
        <Table.Thead bg="var(--surface)">
          <Table.Tr>
            <Table.Th>{head}</Table.Th>
            {series.map((each) => (
              <Table.Th key={each.label} ta="right">
                {each.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bars.map((bar) => (
            <Table.Tr key={bar.title}>
              <Table.Th fw={400}>{bar.title}</Table.Th>
              {series.map((each, i) => (
                <Table.Td key={each.label} ta="right">
                  {number.format(bar.values[i] ?? 0)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function segmentsOf({ values }: Bar): { from: number; to: number; at: number }[] {
  return values
    .map((value, at) => ({ from: sum(values.slice(0, at)), to: sum(values.slice(0, at)) + value, at }))
    .filter(({ from, to }) => to > from)
}

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)

/** How wide the longest label is, about, with some air. */
const longest = (bars: readonly Bar[]) => Math.max(1, ...bars.map(({ label }) => label.length)) * 7 + 10

/** The next even number of the form 1, 2, 4, 5, 10 × 10ⁿ, for the top of the scale. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 4, 5, 10].find((each) => each * power >= value) ?? 10
  return Math.max(2, factor * power)
}
