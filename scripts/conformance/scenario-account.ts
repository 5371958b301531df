import { guardedDocuments } from '@/lib/engines/mcp/sign-in/guarded-documents'
import { beginSignIn, finishSignIn } from '@/lib/engines/mcp/sign-in/sign-in'
import type { Challenge, ClientIdentity, SignInSite, Tokens } from '@/lib/engines/mcp/sign-in/site'
import { ServerError } from '@/lib/engines/mcp/transport/server-address'

/** As Toolgate has it: a call is refused for its scopes at most so often. */
const mostSignIns = 3
const metadataDocumentUrl = 'https://conformance-test.local/client-metadata.json'

/** The account of a scenario, in memory. Its "person" follows the address of the sign-in without a look. */
export class ScenarioAccount {
  private tokens: Tokens | null = null
  private granted: string[] = []
  private readonly fetch = guardedDocuments({ privateAllowed: true })
  private readonly site: SignInSite

  constructor(serverUrl: string, entered: SignInSite['entered']) {
    const registered = new Map<string, ClientIdentity>()
    const refused = new Set<string>()
    this.site = {
      serverUrl,
      redirectUri: 'http://localhost:3000/callback',
      clientName: 'Toolgate',
      entered,
      metadataDocumentUrl,
      privateAllowed: true,
      isForEntered: async () => true,
      registered: async (issuer) => registered.get(issuer) ?? null,
      keepRegistered: async (issuer, identity) => void registered.set(issuer, identity),
      forgetRegistered: async (issuer) => void registered.delete(issuer),
      refusedMetadataDocument: async (issuer) => refused.has(issuer),
      keepRefusedMetadataDocument: async (issuer) => void refused.add(issuer),
    }
  }

  get token(): string | null {
    return this.tokens?.accessToken ?? null
  }

  get isUsed(): boolean {
    return this.tokens !== null
  }

  /** Does something at the server, and signs in where the server asks for that: the request did not run then. */
  async withSignIn<T>(work: () => Promise<T>): Promise<T> {
    for (let count = 0; ; count++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ServerError) || count === mostSignIns) throw error
        if (error.code !== 'sign-in' && error.code !== 'scope') throw error
        await this.signIn(error.challenge)
      }
    }
  }

  private async signIn(challenge: Challenge | null): Promise<void> {
    const asked = challenge?.scope?.split(' ') ?? []
    const scope = [...new Set([...this.granted, ...asked])].join(' ') || null
    const wanted = challenge?.error === 'insufficient_scope' ? { scope } : {}
    const begun = await beginSignIn(this.site, this.fetch, { challenge, ...wanted })
    const answer = await fetch(begun.authorizationUrl, { redirect: 'manual' })
    const callbackUrl = new URL(answer.headers.get('location') ?? '')
    const found = await finishSignIn(this.site, this.fetch, begun.pending, callbackUrl)
    this.tokens = found.tokens
    this.granted = found.grantedScope
  }
}
