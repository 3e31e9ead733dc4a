const flipped = 'token = set_byte(token, octet_length(token) - 1, get_byte(token, octet_length(token) - 1) # 255)'

/** SQL that makes the token of a number ($1) one that cannot be opened, as one that was sealed with another key. */
export const spoilTokenSql = `update channel set ${flipped} where id = $1`

/** SQL that gives it its right token again, as the operator would. */
export const mendTokenSql = `update channel set ${flipped}, status = 'connected', disconnected_because = null, disconnected_because_at = null where id = $1`
