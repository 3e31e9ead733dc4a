import type { ComponentProps } from 'react'
import classes from '../inbox.module.css'

/** A small button with an icon, cheap enough for every line of a thread. */
export function ToolButton(props: ComponentProps<'button'>) {
  return <button type="button" {...props} className={classes.tool} />
}
