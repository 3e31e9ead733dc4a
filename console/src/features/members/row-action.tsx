import { Button } from '@mantine/core'

type Props = { children: string; label: string; isGrave?: boolean; onClick: () => void }

/** What can be done with a row. `label` says it with whom it is about, for those who hear the button alone. */
export function RowAction({ children, label, isGrave = false, onClick }: Props) {
  return (
    <Button variant="subtle" size="sm" px="xs" mih={40} {...(isGrave ? { color: 'red' } : {})} aria-label={label} onClick={onClick}>
      {children}
    </Button>
  )
}
