import { generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody } from './model-server/read-request'

const email = 'toolgate@acme.iam.gserviceaccount.com'
const keyId = '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567'

// Made once, because it takes longer than most tests.
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

type TokenRequest = { path: string; headers: IncomingHttpHeaders; form: Record<string, string> }

/**
 * Starts Google's sign-in address on loopback. It checks the signed statement as
 * https://developers.google.com/identity/protocols/oauth2/service-account (2026-11-23) says, and issues `tokens` in
 * order, repeating the last one. The addresses in `keyFile` lead elsewhere.
 */
export async function startGoogleSignIn(tokens: readonly string[]) {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const requests: TokenRequest[] = []
  let given = 0
  const server = createServer(async (message, response) => {
    const path = message.url ?? ''
    const form = Object.fromEntries(new URLSearchParams(await readBody(message)))
    requests.push({ path, headers: message.headers, form })
    const problem = path === '/token' ? problemOf(form, url) : 'Not found'
    response.setHeader('content-type', 'application/json')
    if (problem !== null) {
      response.statusCode = 400
      const error_description = `${problem} ${form.assertion}`
      response.end(JSON.stringify({ error: 'invalid_grant', error_description }))
      return
    }
    const access_token = tokens[Math.min(given, tokens.length - 1)]
    given += 1
    response.end(JSON.stringify({ access_token, expires_in: 3_599, token_type: 'Bearer' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function problemOf(form: Record<string, string>, issuer: string): string | null {
    if (form.grant_type !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') return 'Bad grant type'
    const [header = '', claims = '', signature = ''] = (form.assertion ?? '').split('.')
    const { alg, kid } = decoded(header)
    if (alg !== 'RS256' || kid !== keyId) return 'Invalid JWT header'
    const signed = Buffer.from(`${header}.${claims}`)
    if (!verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url')))
      return 'Invalid JWT Signature.'
    const { iss, scope, aud, iat, exp } = decoded(claims)
    const now = Date.now() / 1000
    if (iss !== email || aud !== `${issuer}/token`) return 'Invalid grant'
    if (scope !== 'https://www.googleapis.com/auth/cloud-platform') return 'Invalid scope'
    const isShort = Number(exp) - Number(iat) <= 3_600
    return isShort && Number(iat) <= now + 1 && Number(exp) > now ? null : 'Invalid JWT: iat, exp'
  }

  const file = {
    type: 'service_account',
    project_id: 'acme',
    private_key_id: keyId,
    private_key: pem,
    client_email: email,
    client_id: '113258942105700140798',
    auth_uri: 'https://evil.example/auth',
    token_uri: 'https://evil.example/token',
    universe_domain: 'evil.example',
  }
  return {
    url,
    requests,
    pem,
    /** As Google Cloud gives it. */
    keyFile: JSON.stringify(file, null, 2),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function decoded(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}
