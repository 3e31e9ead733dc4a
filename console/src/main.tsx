import '@fontsource-variable/inter'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app/app.css'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startLanguage } from './app/language.ts'
import { nonce, Providers } from './app/providers.tsx'

// Libraries that add style elements while dialogs are open ask here for the nonce of the page's policy.
setNonce(nonce)
await startLanguage()

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
)
