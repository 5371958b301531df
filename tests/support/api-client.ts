import { createApiKey } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { ApiScope } from '@/lib/protocol/api-scope'
import { answerRequest } from './api-routes'
import { db } from './fixture-db'

type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Promise<Response>

type Call = {
  key?: string
  params?: Record<string, string>
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is, with whatever content type `headers` say. */
  body?: BodyInit
  signal?: AbortSignal
}

/** Adds a key with these scopes, even where the owner's role does not have them. */
export async function apiKeyOf(ctx: Ctx, ...scopes: ApiScope[]): Promise<string> {
  const { id, token } = await createApiKey(ctx, { name: 'test', scopes: ['runs:read'] })
  await db().apiKey.update({ where: { id }, data: { scopes } })
  return token
}

/** Asks whatever answers this address below `/api/v1`: `/budgets?sort=title`. */
export function askApi(method: string, path: string, call: Omit<Call, 'params'> = {}) {
  return ask(answerRequest, method, `/api/v1${path}`, call)
}

/**
 * Returns what answers one address below `/api/v1`, such as `/runs/{runId}`, for tests that name its parameters beside
 * a request.
 */
export function apiRoute(path: `/${string}`) {
  const handler: Handler = async (request, context) => {
    const params = await context.params
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(params[name] ?? name),
    )
    const { search } = new URL(request.url)
    return answerRequest(new Request(`http://localhost:3000/api/v1${filled}${search}`, request))
  }
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
  return Object.fromEntries(methods.map((method) => [method, handler])) as Record<
    (typeof methods)[number],
    Handler
  >
}

/** Asks a route handler directly, as `address` under http://localhost:3000. */
export function ask(
  handler: Handler,
  method: string,
  address: string,
  { key, params = {}, headers = {}, json, body, signal }: Call = {},
): Promise<Response> {
  const content = json === undefined ? body : JSON.stringify(json)
  const request = new Request(`http://localhost:3000${address}`, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: content ?? null,
    ...(content instanceof ReadableStream && { duplex: 'half' }),
    signal: signal ?? null,
  })
  return handler(request, { params: Promise.resolve(params) })
}
