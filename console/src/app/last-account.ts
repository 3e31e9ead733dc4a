const key = 'pombo.account'

/** The account that opens next time. */
export const rememberAccount = (id: string): void => localStorage.setItem(key, id)

export const lastAccount = (): string | null => localStorage.getItem(key)
