/** An address and port that belong to this installation: our listener, the database, the object store. */
export type OwnEndpoint = { host: string; port: number }

/** Whom we may call when a customer names the address. */
export type StrangerPolicy = {
  /** Plain http, any port and the private ranges too (ALLOW_PRIVATE_WEBHOOKS). */
  allowPrivate: boolean
  /** Ranges that the operator opened (WEBHOOK_ALLOW_CIDRS), as `isCidr` accepts them. */
  allowCidrs: readonly string[]
  /** PEM text of authorities trusted beside the ones that Node trusts (WEBHOOK_CA_FILE). */
  certificateAuthorities: string | null
  /** Stay forbidden whatever else is allowed. */
  ownEndpoints: readonly OwnEndpoint[]
}
