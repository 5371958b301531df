import { z } from 'zod'
import { type RouteContext, type RouteInput, type RouteOptions, route } from '@/lib/doors/http'
import { readBody, readJsonBody, readOptionalJsonBody } from '@/lib/edge/read-body'
import { inputJsonSchema, type ReasonKind, type Verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { AppError, ValidationError } from '@/lib/kernel/errors'
import type { ApiScope } from '@/lib/protocol/api-scope'
import type { Role } from '@/lib/protocol/tool'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** The media type and, for JSON, the schema of an answer's body; null = no body. */
type Answer = z.ZodType | 'text/event-stream' | 'application/octet-stream' | null
type Answers = Readonly<Record<number, Answer>>

/** One method of one address below `/api/v1`: what the router serves and the OpenAPI document describes. */
export type Endpoint = {
  method: Method
  /** Such as `/budgets/{id}`. */
  path: `/${string}`
  role: Role
  scope: ApiScope | null
  /** Scopes that an API key needs as well. */
  moreScopes?: readonly ApiScope[]
  summary: string
  /** Returns the JSON schemas of query and body. Called when the document is made. */
  takes: () => { query?: JsonSchema; body?: JsonSchema | 'application/octet-stream' }
  answers: Answers
  /** The body of its example, where one made from the schema would explain little. */
  example?: Readonly<Record<string, unknown>>
  handle: (request: Request, context: RouteContext) => Promise<Response>
}
/** The fields of a list beside its rows. */
export const Page = { total: z.number(), page: z.number(), pageSize: z.number() }

type JsonSchema = Record<string, unknown>

export type EndpointCall = {
  ctx: Ctx
  request: Request
  params: Record<string, string>
  given: unknown
}
type Done<T> = EndpointCall & { output: T }

type Options<T> = {
  /** Returns the input of the verb; by default the path's parameters and the fields of the query or body. */
  input?: (given: EndpointCall) => unknown
  /** Returns the answer; by default the verb's output as JSON with 200, or 204 without output. */
  answer?: (done: Done<T>) => Response | Promise<Response>
  /** The answers that `answer` gives, by status. */
  answers?: Answers
  /** The schema of a body that `input` reads; by default that of the verb's input. */
  body?: z.ZodType
  /** Accepts a request without a body. */
  bodyIsOptional?: boolean
  /** The verb takes `Idempotency-Key` as its `idempotencyKey`. */
  isRepeatable?: boolean
}

/** Serves a verb at an address. Fields that the verb does not know are an error in a body and in the query of a GET. */
export function serve<I extends z.ZodType, O extends z.ZodType, R extends ReasonKind>(
  method: Method,
  path: `/${string}`,
  verb: Verb<I, O, R>,
  {
    input,
    answer,
    answers,
    body,
    bodyIsOptional = false,
    isRepeatable = false,
  }: Options<z.output<O>> = {},
): Endpoint {
  const { role, scope, moreScopes = [], summary, output } = verb.definition
  const inBody = method !== 'GET' && method !== 'DELETE'
  const readGiven = bodyIsOptional ? readOptionalJsonBody : readJsonBody
  const takesHeader = isRepeatable ? 'idempotency-key' : undefined
  const check = (request: Request) => refuseUnknown(request, { takes, takesHeader })
  const handle = route({ role, scope, moreScopes, check }, async ({ ctx, request, params }) => {
    const query = () => Object.fromEntries(new URL(request.url).searchParams)
    const given = inBody ? await readGiven(request) : query()
    const context = { ctx, request, params, given }
    const outside = takesHeader
      ? { ...params, idempotencyKey: request.headers.get(takesHeader) }
      : params
    const whole =
      (await input?.(context)) ??
      (inBody ? withParams(given, outside) : { ...Object(given), ...outside })
    const done = await verb(ctx, whole as Parameters<typeof verb>[1])
    if (answer) return answer({ ...context, output: done })
    return output ? Response.json(done) : new Response(null, { status: 204 })
  })
  const takes = () => {
    const whole = body ? jsonSchema(body) : inputJsonSchema(verb as unknown as Verb)
    const outside = isRepeatable ? ['idempotencyKey'] : []
    const schema = withoutParams(whole, [...paramNames(path), ...outside])
    return inBody ? { body: schema } : { query: schema }
  }
  const byOutput: Answers = output ? { 200: output } : { 204: null }
  const rights = { role, scope, moreScopes }
  return { method, path, ...rights, summary, takes, answers: answers ?? byOutput, handle }
}

type ByHand<B extends z.ZodType, Q extends z.ZodType> = RouteOptions<B, Q> & {
  summary: string
  answers: Answers
  example?: Endpoint['example']
  /** The schema of a body that `handle` reads itself. */
  takesBytes?: boolean
  /** A header that changes what a request does, and that `handle` reads. */
  takesHeader?: 'if-match' | 'idempotency-key'
}

/** Serves by hand what is no single verb: streams, files, and addresses that join several verbs. */
export function endpoint<
  B extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
>(
  method: Method,
  path: `/${string}`,
  { summary, answers, example, takesBytes, takesHeader, ...options }: ByHand<B, Q>,
  work: (input: RouteInput<z.output<B>, z.output<Q>>) => Promise<Response>,
): Endpoint {
  const takes = () => ({
    ...(options.query && { query: jsonSchema(options.query) }),
    ...(options.body && { body: jsonSchema(options.body) }),
    ...(takesBytes && { body: 'application/octet-stream' as const }),
  })
  const { role, scope, moreScopes = [] } = options
  const rights = { role, scope, moreScopes }
  const described = { ...rights, summary, takes, answers, ...(example && { example }) }
  const check = (request: Request) => refuseUnknown(request, { takes, takesHeader })
  const handle = route({ ...options, check }, work)
  return { method, path, ...described, handle }
}

type Taken = { takes: Endpoint['takes']; takesHeader?: string | undefined }

/** Throws AppError (400) for what a request says outside of the body that its address takes, and that nobody would read. */
async function refuseUnknown(request: Request, { takes, takesHeader }: Taken): Promise<void> {
  refuseUnknownQuery(request, takes)
  if (request.method === 'GET') return
  const condition = conditions.find((name) => request.headers.has(name))
  if (condition !== undefined && condition !== takesHeader) {
    const message = `This address has no versions, so it does not take ${condition}. Leave it out.`
    throw new AppError('unknown-header', 400, message)
  }
  const isRepeatable = request.method !== 'POST' && request.method !== 'PATCH'
  if (
    request.headers.has('idempotency-key') &&
    takesHeader !== 'idempotency-key' &&
    !isRepeatable
  ) {
    const message =
      'This address does not take Idempotency-Key: a request that is repeated acts again. Leave it out.'
    throw new AppError('unknown-header', 400, message)
  }
  if (request.method !== 'DELETE') return
  const body = (await readBody(request)).toString().trim()
  if (body !== '' && body !== '{}')
    throw new AppError(
      'unknown-body',
      400,
      'This address takes no body. Give the fields as query parameters.',
    )
}

/** Headers that make a change depend on a version. A client that sends one believes that nothing newer is lost. */
const conditions = ['if-match', 'if-none-match', 'if-unmodified-since']

/**
 * Throws AppError (400) for query parameters that an address does not have, or that are given twice: a filter with a
 * mistake in its name would list everything.
 */
function refuseUnknownQuery(request: Request, takes: Endpoint['takes']): void {
  const given = [...new URL(request.url).searchParams.keys()]
  if (given.length === 0) return
  const known = Object.keys(takes().query?.properties ?? {})
  const names = [...new Set(given)]
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    const list = known.length === 0 ? 'This address has none.' : `Known: ${known.join(', ')}.`
    throw unknownParameter(`Unknown query ${parameters(unknown)}. ${list}`)
  }
  const twice = names.filter((name) => given.indexOf(name) !== given.lastIndexOf(name))
  if (twice.length > 0)
    throw unknownParameter(`Given twice: query ${parameters(twice)}. Give it once.`)
}

function parameters(names: readonly string[]): string {
  return `${names.length === 1 ? 'parameter' : 'parameters'}: ${names.join(', ').slice(0, 500)}`
}

function unknownParameter(message: string): AppError {
  return new AppError('unknown-parameter', 400, message)
}

/** Returns what an endpoint by hand has in common with the verb that it calls. */
export function factsOf({ definition: { role, scope, summary } }: Pick<Verb, 'definition'>) {
  return { role, scope, summary }
}

/** Answers 201 with where the new object is, and the object. */
export function created(path: string, body: unknown): Response {
  return Response.json(body, { status: 201, headers: { location: `/api/v1${path}` } })
}

/** Returns the names of a path's parameters: `/keys/{key}` → `key`. */
export function paramNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

/** Returns the input with the parameters of the address, which the body may not repeat. */
export function withParams(given: unknown, params: Record<string, string | null>): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const twice = Object.keys(params).filter((name) => name in given)
  if (twice.length === 0) return { ...given, ...params }
  throw new ValidationError({
    '': `Unknown ${twice.length === 1 ? 'field' : 'fields'}: ${twice.join(', ')}.`,
  })
}

function withoutParams(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const {
    properties = {},
    required = [],
    ...rest
  } = schema as {
    properties?: JsonSchema
    required?: string[]
  }
  return {
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !names.includes(name)),
    ),
    required: required.filter((name) => !names.includes(name)),
  }
}
