/** One answer of the contract: an operation, a status and, for an error, its code. */
type Answer = { method: string; path: string; status: number | string; code?: string | undefined }

type Operation = { responses?: Record<string, { content?: Record<string, { examples?: object }> }> }

/** `GET /v1/messages/{id} 404 not_found`. */
export const nameOfAnswer = ({ method, path, status, code }: Answer): string =>
  `${method.toUpperCase()} /v1${path} ${status}${code === undefined ? '' : ` ${code}`}`

/** Every answer that an OpenAPI document of ours promises. An error has one example for each of its codes, by the code's name. */
export function answersIn(document: { paths: Record<string, Record<string, Operation>> }): string[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses = {} }]) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        if (Number(status) < 400) return [nameOfAnswer({ method, path, status })]
        return Object.keys(content?.['application/json']?.examples ?? {}).map((code) => nameOfAnswer({ method, path, status, code }))
      }),
    ),
  )
}
