import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'

/** The tokens of one account at one issuer. The caller seals them. */
export type Tokens = {
  accessToken: string
  refreshToken: string | null
  /** Scopes that were granted, separated by spaces; null: the issuer did not say. */
  scope: string | null
  expiresAt: Date | null
  tokenType: 'Bearer'
}

/** The client that this installation is at one issuer. */
export type ClientIdentity = {
  clientId: string
  clientSecret: string | null
  way: 'entered' | 'metadata-document' | 'registered'
  /** The method of the token endpoint that the issuer registered it with. */
  authMethod?: string
  /** The end of its secret; null or absent: none is known. */
  expiresAt?: Date | null
  /** The redirect address that it was registered with: with another one it is registered anew. */
  redirectUri?: string
}

/** Everything about one server that a sign-in needs, and the callbacks to the store. */
export type SignInSite = {
  serverUrl: string
  redirectUri: string
  clientName: string
  /** Entered by an admin for this server. */
  entered: { clientId: string; clientSecret: string | null } | null
  /** Address of the client-ID metadata document of this installation; null: it has no public https address. */
  metadataDocumentUrl: string | null
  privateAllowed: boolean
  /**
   * Returns whether the secret that was entered may be sent to this issuer: it is for the first one that it was used with, until it
   * is entered anew.
   */
  isForEntered: (issuer: string) => Promise<boolean>
  registered: (issuer: string) => Promise<ClientIdentity | null>
  keepRegistered: (issuer: string, identity: ClientIdentity) => Promise<void>
  /** Forgets a registration that the issuer does not know any more. */
  forgetRegistered: (issuer: string) => Promise<void>
  refusedMetadataDocument: (issuer: string) => Promise<boolean>
  /** Remembers that the issuer does not take the metadata document. */
  keepRefusedMetadataDocument: (issuer: string) => Promise<void>
}

/** Metadata of an issuer. The kept client leaves out what is about revocation where the document is that of OpenID. */
export type IssuerMetadata = AuthorizationServerMetadata & {
  revocation_endpoint?: string | undefined
  revocation_endpoint_auth_methods_supported?: string[] | undefined
}

/** The result of a discovery. It is never kept beyond one sign-in. */
export type Discovered = {
  issuer: string
  /** Value of `resource` in each request to the issuer. */
  resource: string
  /** Least scopes that the metadata of the server names; empty: it names none. */
  scopes: string[]
  metadata: IssuerMetadata
}

/** The client of a sign-in, as plain JSON. */
export type PendingIdentity = Omit<ClientIdentity, 'expiresAt' | 'redirectUri'>

/** A sign-in between its beginning and its callback, as plain JSON. Has secrets: the caller seals it and keeps it 10 minutes. */
export type Pending = {
  state: string
  codeVerifier: string
  issuer: string
  resource: string
  redirectUri: string
  /** Scopes that were asked for; null: none. */
  scope: string | null
  /** True if the issuer promised to name itself in its answer. */
  isIssuerNamed: boolean
  identity: PendingIdentity
}

/** The 401 or 403 of an MCP server that asks for a token. */
export type Challenge = {
  resourceMetadataUrl: string | null
  /** Scopes that the server asks for, separated by spaces; null: it names none. */
  scope: string | null
  /** Error code of the protocol, such as `insufficient_scope`; null: none. */
  error: string | null
}
