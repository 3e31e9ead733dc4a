/** The addresses that the committed contract names: every installation has its own. */
export const contractUrl = 'https://gateway.example'
export const contractAltUrl = 'https://gateway-two.example'

/** The contract as `contract/openapi.json` holds it: what the server serves, on lines of its own, so that a change can be read. */
export const contractText = (served: string): string => `${JSON.stringify(JSON.parse(served), null, 2)}\n`
