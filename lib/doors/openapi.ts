import { z } from 'zod'
import { schemaSample } from '@/lib/json-schema/schema-sample'
import { version } from '@/package.json'
import { type Endpoint, paramNames } from './api/endpoint'

type Json = Record<string, unknown>

/** The RFC 9457 errors that every endpoint may answer. */
export const Problem = z.object({
  type: z.string().meta({ example: 'urn:toolgate:problem:not-found' }),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  instance: z.string(),
  errors: z.record(z.string(), z.string()).optional(),
  incident: z.string().optional(),
})

const problems: Record<string, string> = {
  400: 'The body is not JSON, or the query has a parameter that is not known.',
  401: 'No valid API key or session was sent.',
  403: 'The role or the scopes of the key do not allow this.',
  404: 'It does not exist, or the account may not see it.',
  422: 'The input is not valid; `errors` has a sentence for each field.',
}

/** Returns the OpenAPI 3.1 document of these endpoints, made of the same values that the router serves. */
export function openApiDocument(endpoints: readonly Endpoint[], serverUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const { path, method } = endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Toolgate',
      version,
      description:
        'Govern, run and watch the tools that language models call. Times are ISO 8601 in UTC, costs are in micro-USD (null = unpriced, never 0), and ids are UUIDs.',
    },
    servers: [{ url: `${serverUrl}/api/v1` }],
    security: [{ apiKey: [] }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: jsonSchema(Problem) },
      responses: Object.fromEntries(
        Object.entries(problems).map(([status, description]) => [
          `Problem${status}`,
          {
            description,
            content: {
              'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
            },
          },
        ]),
      ),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of Toolgate: `tg_…`.' },
      },
    },
  }
}

/** Returns the tag of a path: `/connections/{connection}/keys` → `connections`. */
function tagOf({ path }: Pick<Endpoint, 'path'>): string {
  return path.split('/')[1] ?? ''
}

export type DescribedField = {
  name: string
  in?: 'path' | 'query'
  type: string
  required: boolean
}
/** An endpoint as the page of the API shows it. `example` is a command line for curl. */
export type DescribedEndpoint = Pick<Endpoint, 'method' | 'path' | 'role' | 'summary'> & {
  /** Those that an API key needs; none = no API key will do. */
  scopes: string[]
  id: string
  tag: string
  parameters: DescribedField[]
  body: DescribedField[] | 'application/octet-stream'
  answers: { status: string; type: string }[]
  example: string
}

/** Returns what people read of an endpoint: its fields with their types in words, and an example. */
export function describeEndpoint(endpoint: Endpoint): DescribedEndpoint {
  const { method, path, role, summary, answers } = endpoint
  const scopes = scopesOf(endpoint)
  const { query, body = {} } = endpoint.takes()
  const inPath = paramNames(path).map((name) => ({ name, type: 'text', required: true }))
  return {
    method,
    path,
    role,
    scopes,
    summary,
    id: operationId(endpoint),
    tag: tagOf(endpoint),
    parameters: [
      ...inPath.map((field) => ({ ...field, in: 'path' as const })),
      ...fieldsOf(query).map((field) => ({ ...field, in: 'query' as const })),
    ],
    body: typeof body === 'string' ? body : fieldsOf(body),
    answers: Object.entries(answers).map(([status, answer]) => ({
      status,
      type:
        answer === null
          ? 'without a body'
          : typeof answer === 'string'
            ? answer
            : typeWords(jsonSchema(answer)),
    })),
    example: exampleOf(endpoint),
  }
}

function fieldsOf(schema: Json | undefined): DescribedField[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Shape
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: typeWords(property),
    required: required.includes(name),
  }))
}
type Shape = { properties?: Record<string, Json>; required?: string[] }

/** Returns a type in words: `text`, `number`, `one of day, month`, `list of text`, `{ id, name }`. */
function typeWords(schema: Json): string {
  const { type, enum: values, const: only, anyOf, oneOf, items, properties } = schema
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(values)) return `one of ${values.join(', ')}`
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) return choices.map((each) => typeWords(each as Json)).join(' or ')
  if (type === 'array') return `list of ${typeWords((items ?? {}) as Json)}`
  if (properties) return `{ ${Object.keys(properties).join(', ')} }`
  const words: Record<string, string> = {
    string: 'text',
    integer: 'whole number',
    boolean: 'true or false',
    null: 'null',
    number: 'number',
  }
  return words[String(type)] ?? 'JSON'
}

/** Returns a request for curl; names in capitals stand for what only the reader knows. */
function exampleOf({ method, path, example, ...endpoint }: Endpoint): string {
  const { body } = endpoint.takes()
  const address = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase(),
  )
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$TOOLGATE_URL/api/v1${address}"`,
    '-H "Authorization: Bearer $TOOLGATE_KEY"',
    ...(typeof body === 'string' ? ['--data-binary @FILE'] : []),
    ...(typeof body === 'object'
      ? [
          "-H 'content-type: application/json'",
          `-d '${JSON.stringify(example ?? sampleBody(body))}'`,
        ]
      : []),
  ].join(' \\\n  ')
}

/** Returns a body with the fields that are required; where none is, with the first one. */
function sampleBody(schema: Json): unknown {
  const { properties = {}, required = [] } = schema as Shape
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  const wanted = Object.entries(properties).filter(([name]) => names.includes(name))
  return schemaSample({ ...schema, properties: Object.fromEntries(wanted) })
}

/** Returns the id of an operation: `PATCH /budgets/{id}` → `patchBudgetsId`. */
function operationId({ method, path }: Endpoint): string {
  const words = path.split(/\W+/).filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

function scopesOf({ scope, moreScopes = [] }: Endpoint): string[] {
  return scope === null ? [] : [scope, ...moreScopes]
}

function operation(endpoint: Endpoint): Json {
  const { path, summary, role, answers } = endpoint
  const scopes = scopesOf(endpoint)
  const named = new Intl.ListFormat('en-GB').format(scopes.map((scope) => `\`${scope}\``))
  const { query, body } = endpoint.takes()
  return {
    operationId: operationId(endpoint),
    tags: [tagOf(endpoint)],
    summary,
    description:
      scopes.length > 0
        ? `Needs the ${scopes.length > 1 ? 'scopes' : 'scope'} ${named}${role === 'admin' ? ' of an admin' : ''}.`
        : 'Only for people who are signed in on the console.',
    ...(scopes.length > 0 && { security: [{ apiKey: scopes }] }),
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body && {
      requestBody: { required: isRequired(body), content: contentOf(body, endpoint.example) },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, response(answer)]),
      ),
      ...Object.fromEntries(
        Object.keys(problems)
          .filter((status) => !(status in answers))
          .map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
      ),
    },
  }
}

function pathParameters(path: string): Json[] {
  return paramNames(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(schema: Json | undefined): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: property,
  }))
}

function isRequired(body: Json | string): boolean {
  return typeof body === 'string' || (Array.isArray(body.required) && body.required.length > 0)
}

function contentOf(body: Json | string, example: Endpoint['example']): Json {
  return typeof body === 'string'
    ? { [body]: { schema: { type: 'string', format: 'binary' } } }
    : { 'application/json': { schema: body, example: example ?? sampleBody(body) } }
}

function response(answer: Endpoint['answers'][number]): Json {
  if (answer === null) return { description: 'Done; there is no body.' }
  if (typeof answer === 'string')
    return { description: 'The content.', content: { [answer]: { schema: { type: 'string' } } } }
  return {
    description: 'The answer.',
    content: { 'application/json': { schema: jsonSchema(answer, 'output') } },
  }
}

/** Returns the JSON Schema without its dialect, which OpenAPI 3.1 states for the whole document. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
