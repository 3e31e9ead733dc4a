import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { forgetKept } from '../../api/kept.ts'
import { meKey, readMe } from '../../api/me.ts'
import { setLanguage } from '../../app/language.ts'
import { nextPath } from './next-path.ts'

/** Who signed in here last: what they had begun is there when their session ends, and for nobody else. */
const personKey = 'pombo.person'

/** What follows a sign-in: nothing of somebody else who was here before is kept, the console speaks the person's language, and the page they asked for opens. */
export function useEnter(): (next?: string) => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  return async (next) => {
    client.clear()
    const { user } = await client.fetchQuery({ queryKey: meKey, queryFn: readMe })
    if (localStorage.getItem(personKey) !== user.id) forgetKept()
    localStorage.setItem(personKey, user.id)
    if (user.language !== null) await setLanguage(user.language)
    router.history.replace(nextPath(next, window.location.origin))
  }
}
