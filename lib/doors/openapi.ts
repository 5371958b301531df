import { z } from 'zod'
import { version } from '../../package.json'
import { type Endpoint, paramNames } from './api/endpoint'

type Json = Record<string, unknown>

/** What every endpoint may answer instead, as RFC 9457 has it. */
const Problem = z.object({
  type: z.string().meta({ example: 'urn:toolgate:problem:not-found' }),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  instance: z.string(),
  errors: z.record(z.string(), z.string()).optional(),
  incident: z.string().optional(),
})

const problems: Record<string, string> = {
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

/** `/connections/{connection}/keys` → `connections`. */
function tagOf({ path }: Pick<Endpoint, 'path'>): string {
  return path.split('/')[1] ?? ''
}

function operation(endpoint: Endpoint): Json {
  const { method, path, summary, role, scope, answers } = endpoint
  const { query, body } = endpoint.takes()
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\W+(\w)/g, (_all, first: string) => first.toUpperCase()).replace(/\W/g, '')}`,
    tags: [tagOf(endpoint)],
    summary,
    description: scope
      ? `Needs the scope \`${scope}\`${role === 'admin' ? ' of an admin' : ''}.`
      : 'Only for people who are signed in on the console.',
    ...(scope && { security: [{ apiKey: [scope] }] }),
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body && { requestBody: { required: isRequired(body), content: contentOf(body) } }),
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

function contentOf(body: Json | string): Json {
  return typeof body === 'string'
    ? { [body]: { schema: { type: 'string', format: 'binary' } } }
    : { 'application/json': { schema: body } }
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

/** Without the dialect, which OpenAPI 3.1 states for the whole document. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
