import { Text, type TextProps } from '@mantine/core'

type Props = Omit<TextProps, 'children' | 'truncate' | 'w'> & { children: string }

/** One line of what people have named, in the direction of its language: cut at `maw` or where its place ends, whole on hover. */
export function Clipped({ children, ...rest }: Props) {
  return (
    <Text size="sm" {...rest} truncate w="fit-content" maw={rest.maw ?? '100%'} dir="auto" title={children}>
      {children}
    </Text>
  )
}
