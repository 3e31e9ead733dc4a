/**
 * Where to go after a sign-in: what was asked for, when it is a page of an account here, else the start. What stands in an address may be
 * put there by anybody, to lead a person from a page they trust to one they should not.
 */
export function nextPath(asked: string | undefined, origin: string): string {
  if (asked === undefined || !URL.canParse(asked, origin)) return '/'
  const url = new URL(asked, origin)
  return url.origin === origin && url.pathname.startsWith('/a/') ? `${url.pathname}${url.search}${url.hash}` : '/'
}
