import { Center } from '@mantine/core'
import { encode } from 'uqr'

/** A QR code drawn here: what it says goes to nobody else. Dark on white in both color schemes, as cameras want it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <Center>
      <svg
        viewBox={`0 0 ${size} ${size}`}
        width={208}
        height={208}
        role="img"
        aria-label={label}
        shapeRendering="crispEdges"
        style={{ background: 'white', borderRadius: 8 }}
      >
        <path d={path} fill="black" />
      </svg>
    </Center>
  )
}
