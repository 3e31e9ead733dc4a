/** What RFC 3986 lets a URI with a host hold: a blank, a line end, a backslash, braces, a lone `%` and letters beyond ASCII are encoded. */
const uri = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+(?:[/?#]|$)/i
const characters = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/

/** Whether this is a URI with a scheme and a host by RFC 3986, exactly as it is written. */
export function isUri(text: string): boolean {
  return uri.test(text) && characters.test(text) && text.split('#').length <= 2
}
