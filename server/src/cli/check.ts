/** One part: what was found, and what to do when it is not as it should be. */
export type Check = { name: string; ok: boolean; message: string; advice: string | null }

export const fine = (name: string, message: string): Check => ({ name, ok: true, message, advice: null })

export const problem = (name: string, message: string, advice: string): Check => ({ name, ok: false, message, advice })
