import type { Page } from 'playwright-core'

/** How much of a pixel is no fault: widths are rounded. */
const slackPx = 1.5

/**
 * What of the page as it is now cannot be reached or read: controls that are cut, covered or off screen, words that end without a sign that
 * they go on or are shortened in a button without a hint, and parts that scroll sideways without being made for it (`data-scrolls-sideways`, code). Each as one line.
 */
export async function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(findFaults, slackPx)
}

/** Runs in the page: it may use nothing from outside of itself. */
function findFaults(slack: number): string[] {
  const controls = 'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"], [role="menuitem"], [role="option"]'
  const madeToScroll = '[data-scrolls-sideways], pre, code, textarea, input'
  const faults = new Set<string>()

  const nameOf = (element: Element): string => {
    const words = element.getAttribute('aria-label') ?? (element.textContent || element.getAttribute('name')) ?? ''
    const classes = typeof element.className === 'string' ? element.className.split(' ')[0] : ''
    return `${element.tagName.toLowerCase()}${classes ? `.${classes}` : ''} "${words.trim().slice(0, 40)}"`
  }
  const isShown = (element: Element): boolean => {
    if (element.closest('[inert], [aria-hidden="true"], .skip-link') !== null) return false
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false
    const { width, height } = element.getBoundingClientRect()
    // The menu of a phone waits beside the screen.
    const menu = element.closest('nav')?.getBoundingClientRect()
    if (menu !== undefined && menu.right <= 0) return false
    // What only a screen reader is to find is one pixel.
    return width > 2 && height > 2 && getComputedStyle(element).clipPath === 'none'
  }
  const ancestorsOf = (element: Element): Element[] => {
    const found: Element[] = []
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      found.push(at)
      if (getComputedStyle(at).position === 'fixed') break
    }
    return found
  }

  /** How far the parts around let one see it, from left to right. */
  const seen = (element: Element): [left: number, right: number] => {
    const own = element.getBoundingClientRect()
    let [left, right] = [Math.max(own.left, 0), Math.min(own.right, innerWidth)]
    for (const each of ancestorsOf(element)) {
      if (getComputedStyle(each).overflowX === 'visible') continue
      const its = each.getBoundingClientRect()
      left = Math.max(left, its.left)
      right = Math.min(right, its.right)
    }
    return [left, right]
  }
  const judgeControl = (control: Element): void => {
    control.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    if (control.closest('[data-scrolls-sideways]') !== null) return
    const own = control.getBoundingClientRect()
    const [left, right] = seen(control)
    if (right - left <= 0 || own.bottom <= 0 || own.top >= innerHeight) return void faults.add(`off screen: ${nameOf(control)}`)
    if (right - left < own.width - slack) return void faults.add(`cut: ${nameOf(control)}`)
    const middle = own.top + own.height / 2
    for (const x of [left + 3, (left + right) / 2, right - 3]) {
      const top = document.elementFromPoint(x, Math.min(middle, innerHeight - 1))
      if (top === null || control.contains(top) || top.contains(control)) continue
      const field = control.closest('.mantine-Input-wrapper, .mantine-Switch-root, .mantine-Checkbox-root, .mantine-Radio-root, label')
      if (field?.contains(top) === true) continue
      // A control within another one: a button in a row that is a link.
      if (top.closest('a, button') !== null && (control.parentElement?.contains(top) ?? false)) continue
      return void faults.add(`covered: ${nameOf(control)} by ${nameOf(top)}`)
    }
  }
  const judgeBox = (element: Element): void => {
    if (!(element instanceof HTMLElement) || element.scrollWidth <= element.clientWidth + slack || element.clientWidth === 0) return
    if (element.closest(madeToScroll) !== null) return
    const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element)
    if (overflowX === 'auto' || overflowX === 'scroll') faults.add(`scrolls sideways: ${nameOf(element)}`)
    else if (textOverflow === 'ellipsis' && element.closest('button') !== null && element.closest('[title], [aria-label]') === null)
      faults.add(`shortened, and nowhere whole: ${nameOf(element)}`)
    else if ((overflowX === 'hidden' || overflowX === 'clip') && textOverflow !== 'ellipsis' && webkitLineClamp === 'none')
      if ([...element.childNodes].some((each) => each.nodeType === Node.TEXT_NODE && each.textContent?.trim() !== ''))
        faults.add(`cut without a sign: ${nameOf(element)}`)
  }

  if (document.documentElement.scrollWidth > innerWidth + slack) faults.add('the page is wider than the screen')
  for (const element of document.body.querySelectorAll('*')) if (isShown(element)) judgeBox(element)
  const open = [...document.querySelectorAll('[role="dialog"]')].filter(isShown).at(-1)
  for (const control of (open ?? document.body).querySelectorAll(controls)) if (isShown(control)) judgeControl(control)
  return [...faults]
}
