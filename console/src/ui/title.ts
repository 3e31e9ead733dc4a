import { useEffect } from 'react'

let [page, count] = ['', 0]

/** Writes the tab's title. Nothing else does: two writers would each put back what the other has replaced. */
function write(): void {
  document.title = `${count > 0 ? `(${count}) ` : ''}${page === '' ? '' : `${page} · `}Pombo`
}

/** The tab is called so while the page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    page = title
    write()
    return () => {
      page = ''
      write()
    }
  }, [title])
}

/** Shows a number before the tab's title while the page is shown; 0 shows none. */
export function useTitleCount(wanted: number): void {
  useEffect(() => {
    count = wanted
    write()
    return () => {
      count = 0
      write()
    }
  }, [wanted])
}
