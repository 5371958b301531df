/**
 * Thrown for everything that goes wrong with a sign-in. The message is one or two sentences for people, with cause and cure, and
 * has no text of the issuer. `log` has what the issuer or the network said, without secrets, for the server log alone.
 */
export class SignInError extends Error {
  constructor(
    readonly code: SignInErrorCode,
    message: string,
    readonly log = '',
  ) {
    super(message)
    this.name = 'SignInError'
  }
}

/**
 * - `unreachable`: no usable answer now; a later try may succeed.
 * - `blocked`: an address that may not be reached, or a scheme that is not allowed.
 * - `unreadable`: a document or an answer that is not what the protocol promises.
 * - `no-sign-in`: the server or its issuer does not say how to sign in.
 * - `no-pkce`: the issuer does not offer PKCE with S256.
 * - `issuer`: the answer, or the document, is of another issuer than the one expected.
 * - `resource`: the metadata is of another server.
 * - `register-a-client`: an admin has to register a client at the issuer and enter it.
 * - `client-refused`: the issuer does not know the client (any more).
 * - `next-way`: as `client-refused`, but the next sign-in identifies the client in another way: begin again.
 * - `declined`: the person, or the issuer, said no.
 * - `refused`: the issuer refused the code, the refresh or the client's credentials.
 * - `state`: the callback is not the answer to this sign-in.
 */
export type SignInErrorCode =
  | 'unreachable'
  | 'blocked'
  | 'unreadable'
  | 'no-sign-in'
  | 'no-pkce'
  | 'issuer'
  | 'resource'
  | 'register-a-client'
  | 'client-refused'
  | 'next-way'
  | 'declined'
  | 'refused'
  | 'state'
