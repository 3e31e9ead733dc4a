import { lazy } from 'react'

// The composer's dialogs, each loaded when it is first opened: put them into `OnceOpened`.

export const TemplateDialog = lazy(async () => ({ default: (await import('./template-dialog.tsx')).TemplateDialog }))
export const CannedDialog = lazy(async () => ({ default: (await import('./canned-dialog.tsx')).CannedDialog }))
export const NewConversation = lazy(async () => ({ default: (await import('./new-conversation.tsx')).NewConversation }))
