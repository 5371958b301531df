import 'server-only'
import type { z } from 'zod'
import {
  authenticateRequest,
  type RequestIdentity,
  requireScope,
} from '@/lib/auth/authenticate-request'
import { clientAddress } from '@/lib/auth/client-address'
import { requireFreshProof } from '@/lib/auth/confirm-identity'
import { touchSession } from '@/lib/auth/load-session'
import { reportForbidden } from '@/lib/auth/report-refusal'
import { requireSameOrigin } from '@/lib/auth/require-same-origin'
import { confirmationsInCookies, confirmationsInHeaders } from '@/lib/auth/typed-confirmation'
import { readJsonBody } from '@/lib/edge/read-body'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { describeError } from '@/lib/kernel/describe-error'
import { ForbiddenError, NotFoundError, RateLimitedError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { isStorableText } from '@/lib/kernel/storable-text'
import type { ApiScope } from '@/lib/protocol/api-scope'
import { retryAfterSeconds } from '@/lib/protocol/outage'
import type { Role } from '@/lib/protocol/tool'
import { keepingWaysOut } from '@/lib/toolset/policy/keep-ways-out'

/** `scope`: what an API key needs here; null = the session cookie only. No `body` schema = the body is not read. */
export type RouteOptions<B extends z.ZodType, Q extends z.ZodType> = {
  role: Role
  scope: ApiScope | null
  /** Scopes that an API key needs as well. */
  moreScopes?: readonly ApiScope[]
  body?: B
  query?: Q
  /** Throws for a request that is not understood, before query and body are parsed. */
  check?: (request: Request) => Promise<void>
  /** Returns whether this body requires that the session's person recently confirmed their identity. No API key may send it. */
  confirmed?: (body: z.output<B>) => boolean
}

type Rights = { role: Role; scope: ApiScope | null; moreScopes?: readonly ApiScope[] }
/** A route handler that says who may ask it. */
export type Route = {
  (request: Request, context: RouteContext): Promise<Response>
  readonly rights: Rights
}

export type RouteInput<B, Q> = {
  ctx: Ctx
  request: Request
  params: Record<string, string>
  body: B
  query: Q
  /** For streams: loads the caller again. Null once the session or key is revoked or the role is too low (SPEC J3). */
  recheck: () => Promise<Ctx | null>
}

// A route without dynamic parts gets `params` undefined at run time, whatever the framework's types say.
export type RouteContext = {
  params: Promise<Record<string, string | string[] | undefined> | undefined> | undefined
}

/**
 * Returns a route handler: it authenticates by API key or cookie, refuses other sites' requests, parses query and body,
 * and answers every failure as RFC 9457 problem details.
 */
export function route<B extends z.ZodType = z.ZodUndefined, Q extends z.ZodType = z.ZodUndefined>(
  options: RouteOptions<B, Q>,
  handler: (input: RouteInput<z.output<B>, z.output<Q>>) => Promise<Response>,
): Route {
  const { role, scope } = options
  const answer = async (request: Request, context: RouteContext) => {
    let identity: RequestIdentity | null = null
    try {
      identity = await authenticateRequest(request)
      const ctx = callerOf(identity, request)
      requireRights(identity, request, options)
      // Open pages read again and again by themselves, so only requests that change something count as activity.
      if (isChange(request) && identity.by === 'cookie') await touchSession(identity.session)
      await options.check?.(request)
      const params = textParams((await context.params) ?? {})
      const query = parsed(options.query, Object.fromEntries(new URL(request.url).searchParams))
      const body = parsed(options.body, options.body && (await readJsonBody(request)))
      if (options.confirmed?.(body)) requireProofOf(identity)
      const recheck = () => admitted(request, options).catch(() => null)
      const response = await handler({ ctx, request, params, body, query, recheck })
      if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
      return response
    } catch (error) {
      const { pathname } = new URL(request.url)
      const name = `${request.method} ${pathname}`
      const ipAddress = clientAddress(request.headers)
      reportForbidden(error, identity?.ctx ?? null, { type: 'route', name }, { ipAddress })
      return problem(error, request)
    }
  }
  return Object.assign(answer, { rights: { role, scope } })
}

function requireProofOf(identity: RequestIdentity): void {
  if (identity.by === 'key') {
    throw new ForbiddenError(
      'API keys cannot be used for this request. Sign in on the console instead.',
    )
  }
  requireFreshProof(identity.session)
}

/** Returns the context of a request: what it confirms, and for a browser's session the proof of identity. */
function callerOf(identity: RequestIdentity, { headers }: Request): Ctx {
  const inHeaders = confirmationsInHeaders(headers)
  // A page that sends a request asks as it does for a server action.
  const inCookies = identity.by === 'key' ? null : confirmationsInCookies(headers)
  const ctx = {
    ...identity.ctx,
    ...keepingWaysOut({
      nobodyLeft: inHeaders.nobodyLeft ?? inCookies?.nobodyLeft ?? null,
      brokenCases: inHeaders.brokenCases ?? inCookies?.brokenCases ?? null,
      mayReadCases: identity.by !== 'key' || identity.scopes.has('policy-cases:read'),
    }),
  }
  if (identity.by === 'key') return ctx
  return { ...ctx, requireProof: () => requireFreshProof(identity.session) }
}

function requireRights(
  identity: RequestIdentity,
  request: Request,
  { role, scope, moreScopes = [] }: Rights,
): void {
  for (const each of [scope, ...moreScopes]) requireScope(identity, each)
  if (isChange(request) && identity.by === 'cookie') requireSameOrigin(request.headers)
  requireRole(identity.ctx, role)
}

function isChange({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

async function admitted(request: Request, rights: Rights): Promise<Ctx> {
  const identity = await authenticateRequest(request)
  requireRights(identity, request, rights)
  return identity.ctx
}

// Without a schema there is nothing to parse and the handler's type says `undefined`.
function parsed<S extends z.ZodType>(schema: S | undefined, input: unknown): z.output<S> {
  return schema ? parseInput(schema, input) : (undefined as z.output<S>)
}

/** Returns the parameters of the address. Refuses text that cannot be stored, because nothing can have such a name. */
function textParams(params: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(params).filter((entry) => typeof entry[1] === 'string')
  const texts = entries as [string, string][]
  if (!texts.every(([, text]) => isStorableText(text))) throw new NotFoundError()
  return Object.fromEntries(texts)
}

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  412: 'Precondition failed',
  413: 'Too large',
  414: 'Address too long',
  415: 'Unsupported media type',
  422: 'Invalid input',
  429: 'Too many requests',
  431: 'Headers too long',
  500: 'Internal error',
  503: 'Unavailable',
  507: 'Insufficient storage',
}

/** Returns an error as RFC 9457: `type` is stable and names the error's code; `errors` maps fields to sentences. */
export function problem(error: unknown, request: Request): Response {
  const { code, status, message, fields, incidentId } = describeError(error, 'http')
  const headers = new Headers({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
  })
  if (status === 401) headers.set('www-authenticate', 'Bearer')
  const retryAfter =
    error instanceof RateLimitedError ? error.retryAfterSeconds : retryAfterSeconds[status]
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter))
  const details = {
    type: `urn:toolgate:problem:${code}`,
    title: titles[status] ?? 'Error',
    status,
    detail: message,
    instance: new URL(request.url).pathname,
    ...(fields && { errors: fields }),
    ...(incidentId && { incident: incidentId }),
  }
  return Response.json(details, { status, headers })
}
