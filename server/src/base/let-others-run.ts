/** Resolves in the next turn of the event loop, so that long work in pieces stalls nobody for longer than a piece. */
export const letOthersRun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
