import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'
import type { ClientIdentity, SignInSite } from '@/lib/engines/mcp/sign-in/site'
import { CookieJar } from '@/tests/support/cookie-jar'

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean

const resourceScope = 'notes:read notes:write'

/** An MCP server that names its issuer, and a real issuer, both on loopback. */
export type Issuer = {
  issuer: string
  serverUrl: string
  /** The metadata that the MCP server publishes, and what a test changes in the metadata of the issuer. */
  resourceMetadata: Record<string, unknown>
  issuerMetadata: Record<string, unknown>
  /** Answers a request to the issuer instead of it; null: the issuer answers all. */
  before: Answer | null
  /** Paths that the issuer was asked for, and the forms that were sent to its token endpoint. */
  requests: string[]
  forms: URLSearchParams[]
  /** Signs in as a person does, and returns the address that the issuer sends the browser back to. */
  visit: (authorizationUrl: URL) => Promise<URL>
  /** A site without anything entered or kept. */
  site: (more?: Partial<SignInSite>) => SignInSite & { registrations: Map<string, ClientIdentity> }
  close: () => Promise<void>
}

/** Starts an issuer that registers clients, and an MCP server at which its tokens would count. */
export async function startIssuer(): Promise<Issuer> {
  const server = createServer()
  const mcp = createServer((request, response) => {
    const isMetadata = request.url === '/.well-known/oauth-protected-resource/mcp'
    response.writeHead(isMetadata ? 200 : 404, { 'content-type': 'application/json' })
    response.end(isMetadata ? JSON.stringify(fixture.resourceMetadata) : undefined)
  })
  const [issuer, origin] = [await listening(server), await listening(mcp)]
  const serverUrl = `${origin}/mcp`
  const fixture: Issuer = {
    issuer,
    serverUrl,
    resourceMetadata: {
      resource: serverUrl,
      authorization_servers: [issuer],
      scopes_supported: ['notes:read'],
    },
    issuerMetadata: {},
    before: null,
    requests: [],
    forms: [],
    visit: async (url) => new URL((await new CookieJar().visit(url.href)).url),
    site: (more) => siteOf(serverUrl, `${origin}/callback`, more),
    close: async () => void (await Promise.all([server, mcp].map(closed))),
  }
  const provider = new Provider(issuer, configuration(serverUrl))
  provider.use(async (ctx, next) => {
    if (ctx.path.startsWith('/login/')) {
      const { params } = await provider.interactionDetails(ctx.req, ctx.res)
      const grant = new provider.Grant({ clientId: String(params.client_id), accountId: 'kim' })
      grant.addOIDCScope('offline_access')
      grant.addResourceScope(serverUrl, resourceScope)
      const consent = { grantId: await grant.save() }
      const login = { accountId: 'kim' }
      await provider.interactionFinished(ctx.req, ctx.res, { login, consent })
      ctx.respond = false
      return
    }
    await next()
    if (ctx.status === 200 && ctx.path.startsWith('/.well-known/'))
      ctx.body = { ...Object(ctx.body), ...fixture.issuerMetadata }
    const form: unknown = ctx.oidc?.body
    if (ctx.path.startsWith('/token')) fixture.forms.push(new URLSearchParams(Object(form)))
  })
  const answer = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    fixture.requests.push(new URL(request.url ?? '', issuer).pathname)
    if (fixture.before?.(request, response) !== true) void answer(request, response)
  })
  return fixture
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function closed(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function siteOf(serverUrl: string, redirectUri: string, more: Partial<SignInSite> = {}) {
  const registrations = new Map<string, ClientIdentity>()
  const refused = new Set<string>()
  return {
    serverUrl,
    redirectUri,
    clientName: 'Toolgate',
    entered: null,
    metadataDocumentUrl: null,
    privateAllowed: true,
    isForEntered: async () => true,
    registered: async (issuer: string) => registrations.get(issuer) ?? null,
    keepRegistered: async (issuer: string, identity: ClientIdentity) =>
      void registrations.set(issuer, identity),
    forgetRegistered: async (issuer: string) => void registrations.delete(issuer),
    refusedMetadataDocument: async (issuer: string) => refused.has(issuer),
    keepRefusedMetadataDocument: async (issuer: string) => void refused.add(issuer),
    registrations,
    ...more,
  }
}

/** A client that stands in the configuration of the issuer; its secret has signs that change their meaning unless escaped. */
export const knownClient = { clientId: 'toolgate:one', clientSecret: 'a+b/c=d%20e f' }

function configuration(resource: string): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    clients: [
      {
        client_id: knownClient.clientId,
        client_secret: knownClient.clientSecret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['for tests alone'] },
    scopes: ['offline_access'],
    ttl: { AccessToken: 60, Grant: 600, Interaction: 60, RefreshToken: 600, Session: 60 },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async () => ({
          scope: resourceScope,
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: 60,
        }),
        useGrantedResource: async () => true,
      },
      revocation: { enabled: true },
    },
    interactions: { url: (_ctx, { uid }) => `/login/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub }) }),
  }
}
