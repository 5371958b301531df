import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startMcpServer } from './http-server'

type Token = { person: string; scope: string; endsAt: number }
export type AccountServer = Awaited<ReturnType<typeof startAccountServer>>

const tools = [
  {
    name: 'who',
    description: 'Says whose account this is.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
]

/**
 * Starts an MCP server that only answers accounts, and the issuer of their tokens, both on loopback. Refresh tokens count once:
 * one that is used again ends all tokens of its person, as issuers do.
 */
export async function startAccountServer({ lifeSeconds = 3_600 } = {}) {
  const access = new Map<string, Token>()
  const refresh = new Map<string, Token>()
  const codes = new Map<string, { person: string; scope: string; challenge: string }>()
  const calls: { person: string; method: string }[] = []
  const state = {
    issued: 0,
    refreshes: 0,
    signIns: 0,
    revoked: [] as string[],
    forms: [] as URLSearchParams[],
    lifeSeconds,
    /** Scope that a call needs beside those of the metadata. */
    needs: '',
    /** Answers to the token endpoint wait for this. */
    hold: Promise.resolve() as Promise<unknown>,
    metadata: {} as Record<string, unknown>,
    /** Members of the metadata of the MCP server that are otherwise. */
    resource: {} as Record<string, unknown>,
    metadataReads: 0,
    /** The metadata of the issuer waits for this. */
    holdMetadata: Promise.resolve() as Promise<unknown>,
    /** Members of the answers with tokens that are otherwise. */
    answer: {} as Record<string, unknown>,
  }
  const issue = (person: string, scope: string) => {
    state.issued++
    const endsAt = Date.now() + state.lifeSeconds * 1_000
    const accessToken = `at-${person}-${state.issued}`
    const refreshToken = `rt-${person}-${state.issued}`
    access.set(accessToken, { person, scope, endsAt })
    refresh.set(refreshToken, { person, scope, endsAt: Number.POSITIVE_INFINITY })
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: state.lifeSeconds,
      scope,
      ...state.answer,
    }
  }
  const end = (person: string) => {
    for (const [token, { person: of }] of access) if (of === person) access.delete(token)
    for (const [token, { person: of }] of refresh) if (of === person) refresh.delete(token)
  }
  const issuer = createServer((request, response) => void answerIssuer(request, response))
  const issuerUrl = await listening(issuer)
  const answerIssuer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', issuerUrl)
    const json = (body: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (url.pathname === '/.well-known/oauth-authorization-server') {
      state.metadataReads++
      await state.holdMetadata
      return json({
        issuer: issuerUrl,
        authorization_endpoint: `${issuerUrl}/authorize`,
        token_endpoint: `${issuerUrl}/token`,
        registration_endpoint: `${issuerUrl}/register`,
        revocation_endpoint: `${issuerUrl}/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
        authorization_response_iss_parameter_supported: true,
        ...state.metadata,
      })
    }
    if (url.pathname === '/register') {
      const { redirect_uris } = JSON.parse(await bodyOf(request))
      return json(
        { client_id: 'registered', redirect_uris, token_endpoint_auth_method: 'none' },
        201,
      )
    }
    if (url.pathname === '/authorize') {
      const person = String(request.headers['x-person'] ?? '')
      const code = `code-${codes.size + 1}`
      const scope = url.searchParams.get('scope') ?? ''
      codes.set(code, { person, scope, challenge: url.searchParams.get('code_challenge') ?? '' })
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      for (const [name, value] of Object.entries({ code, iss: issuerUrl }))
        back.searchParams.set(name, value)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      return void response.writeHead(302, { location: back.href }).end()
    }
    const form = new URLSearchParams(await bodyOf(request))
    state.forms.push(form)
    if (url.pathname === '/revoke') {
      state.revoked.push(form.get('token') ?? '')
      return json({})
    }
    await state.hold
    const kind = form.get('grant_type')
    if (kind === 'client_credentials') {
      const { refresh_token: _, ...answer } = issue('client', form.get('scope') ?? '')
      return json(answer)
    }
    if (kind === 'refresh_token') {
      const token = form.get('refresh_token') ?? ''
      const found = refresh.get(token)
      if (!found) {
        end(/^rt-(.+)-\d+$/.exec(token)?.[1] ?? '')
        return json({ error: 'invalid_grant' }, 400)
      }
      refresh.delete(token)
      state.refreshes++
      return json(issue(found.person, found.scope))
    }
    const found = codes.get(form.get('code') ?? '')
    if (!found) return json({ error: 'invalid_grant' }, 400)
    codes.delete(form.get('code') ?? '')
    state.signIns++
    return json(issue(found.person, found.scope))
  }
  const metadataPath = '/.well-known/oauth-protected-resource/mcp'
  const mcp = await startMcpServer({
    tools,
    before: (request, response) => {
      if (request.url === metadataPath) {
        response.writeHead(200, { 'content-type': 'application/json' })
        const named = {
          resource: mcp.url,
          authorization_servers: [issuerUrl],
          scopes_supported: ['notes:read'],
          ...state.resource,
        }
        response.end(JSON.stringify(named))
        return true
      }
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
      const known = access.get(token)
      const metadata = `resource_metadata="${mcp.origin}${metadataPath}"`
      if (!known || known.endsAt < Date.now()) {
        response.writeHead(401, { 'www-authenticate': `Bearer ${metadata}` }).end()
        return true
      }
      if (state.needs !== '' && !known.scope.split(' ').includes(state.needs)) {
        const words = `Bearer error="insufficient_scope", scope="${state.needs}", ${metadata}`
        response.writeHead(403, { 'www-authenticate': words }).end()
        return true
      }
      return false
    },
    answer: ({ method, headers }) => {
      const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
      const { person = '' } = access.get(token) ?? {}
      calls.push({ person, method })
      if (method === 'tools/call')
        return { content: [{ type: 'text', text: `You are ${person}.` }] }
    },
  })
  return {
    url: mcp.url,
    issuer: issuerUrl,
    state,
    calls,
    access,
    /** Ends all access tokens now; refresh tokens stay. */
    expireAll: () => access.clear(),
    /** Ends all tokens of a person. */
    revoke: end,
    /** Signs in as a person does in a browser, and returns the address that it is sent back to. */
    visit: async (url: string, person: string): Promise<URL> => {
      const answer = await fetch(url, { redirect: 'manual', headers: { 'x-person': person } })
      return new URL(answer.headers.get('location') ?? '')
    },
    close: async () => {
      issuer.closeAllConnections()
      await Promise.all([mcp.close(), new Promise((resolve) => issuer.close(resolve))])
    },
  }
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
