import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

export const languages = ['pt-BR', 'en'] as const
export type Language = (typeof languages)[number]

const files = import.meta.glob<{ default: object }>('../locales/*/*.json')
const storageKey = 'pombo.language'

const isLanguage = (text: string | null): text is Language => text !== null && (languages as readonly string[]).includes(text)

/** What was chosen here before, else what the browser prefers. */
function firstLanguage(): Language {
  const chosen = localStorage.getItem(storageKey)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.some((each) => each.toLowerCase().startsWith('pt')) || navigator.languages.length === 0 ? 'pt-BR' : 'en'
}

/** Resolves when the words of the shell are there; those of a feature come with its page. */
export async function startLanguage(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  await i18next
    .use(initReactI18next)
    .use({
      type: 'backend' as const,
      read: (language: string, namespace: string, done: (error: Error | null, words: object | null) => void) => {
        const load = files[`../locales/${language}/${namespace}.json`]
        if (load === undefined) return done(new Error(`no words ${namespace} in ${language}`), null)
        load().then(
          (file) => done(null, file.default),
          (error: unknown) => done(error instanceof Error ? error : new Error('the words did not load'), null),
        )
      },
    })
    .init({
      lng: firstLanguage(),
      fallbackLng: false,
      supportedLngs: languages,
      ns: ['app'],
      defaultNS: 'app',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
}

export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language)
  await i18next.changeLanguage(language)
}
