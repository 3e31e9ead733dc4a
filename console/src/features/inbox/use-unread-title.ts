import { useEffect } from 'react'
import { useRead } from '../../api/account.ts'

/** The title of the tab shows how many conversations wait to be read while nobody looks at it. */
export function useUnreadTitle(): void {
  const unread = useRead('GET /account/conversations/counts', {}).data?.unread ?? 0
  useEffect(() => {
    const plain = document.title
    const show = () => {
      document.title = document.visibilityState === 'hidden' && unread > 0 ? `(${unread}) ${plain}` : plain
    }
    show()
    document.addEventListener('visibilitychange', show)
    return () => {
      document.removeEventListener('visibilitychange', show)
      document.title = plain
    }
  }, [unread])
}
