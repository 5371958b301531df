/** Sender of a request: by key, with the cookie of the console, or without either. */
export type Asker =
  /** Key of an admin with every scope. */
  | 'admin'
  /** Keys of two members with every scope that members have; the first is in the group that may use configurations. */
  | 'member'
  | 'other'
  /** Keys of the admin with this scope alone. */
  | 'usage:read'
  | 'runs:read'
  /**
   * The admin's session in the console, whose requests come from this site, or from nowhere. The last proof of a person
   * counts for 15 minutes.
   */
  | 'session'
  | 'session without origin'
  | 'session proved an hour ago'
  | 'wrong key'
  | 'nobody'

/**
 * One request below `/api/v1`. `{name}` in its address, headers and body stands for a value that the set-up or `save`
 * of an earlier answer gave.
 */
export type Step = {
  ask: string
  as?: Asker
  json?: unknown
  /** Sent as it is. */
  text?: string
  /** Sent as these bytes, in base64. */
  bytes?: string
  headers?: Record<string, string>
  /** Names for values of the answer, by their path in it (`rules.0.id`). */
  save?: Record<string, string>
  /** The named things of lists that are recorded. What else is in a list is no matter of the API. */
  only?: string[]
  /** Asks again until the answer has this `status`. */
  until?: string
  /** Event outside of the API before the request. */
  before?: 'a skill changes in its folder' | 'a tool writes a file' | 'active runs ask their models'
  /** The request is one of those that every address refuses. */
  isEdge?: true
}

type More = Omit<Step, 'ask' | 'json'>

export const get = (path: string, more: More = {}): Step => ({ ask: `GET ${path}`, ...more })
export const del = (path: string, more: More = {}): Step => ({ ask: `DELETE ${path}`, ...more })
const sending =
  (method: string) =>
  (path: string, json: unknown, more: More = {}): Step => ({
    ask: `${method} ${path}`,
    json,
    ...more,
  })
export const post = sending('POST')
export const put = sending('PUT')
export const patch = sending('PATCH')

/** Sends what changes something as the admin's session, where only a person may do it; steps that name who asks stay. */
export function byPerson(steps: Step[]): Step[] {
  return steps.map((step) =>
    step.as === undefined && /^(POST|PUT|PATCH|DELETE) /.test(step.ask)
      ? { ...step, as: 'session' }
      : step,
  )
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** The methods of an address, each with a body that it takes; null = it reads none. */
type Methods = Partial<Record<Method, object | null>>

type Who = {
  /** Members send it, too. */
  members?: boolean
  /** Addresses of the same shape that name nothing. */
  unknown?: string[]
}

/** Returns addresses of objects that do not exist. */
export const nobody = (path: string): string[] => [
  `/${path}/nothing`,
  `/${path}/01a20071-0000-7000-8000-000000000000`,
  `/${path}/nul%00`,
]

const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const json = { 'content-type': 'application/json' }

/** Requests what every address refuses in the same way, and the methods that each address has. Changes nothing. */
export function edges(path: string, methods: Methods, { members, unknown = [] }: Who = {}): Step[] {
  const given = Object.entries(methods)
  const steps: Step[] = [
    ...given.flatMap(([method, body]) => [
      ...strangers(method, path, members === true).map((step) => withBody(step, body)),
      ...unknown.map((address) => withBody({ ask: `${method} ${address}` }, body)),
      ...(body === null ? [] : wrongBodies(`${method} ${path}`, body)),
    ]),
    ...everyMethod
      .filter((method) => !(method in methods))
      .map((method): Step => ({ ask: `${method} ${path}` })),
    { ask: `HEAD ${path}`, as: 'nobody' },
    { ask: `OPTIONS ${path}`, as: 'nobody' },
  ]
  return steps.map((step) => ({ ...step, isEdge: true }))
}

function strangers(method: string, path: string, members: boolean): Step[] {
  const scopeless: Asker = path.startsWith('/usage') ? 'runs:read' : 'usage:read'
  const refused: Asker[] = [
    'nobody',
    'wrong key',
    scopeless,
    ...(members ? [] : ['member' as const]),
  ]
  return refused.map((as) => ({ ask: `${method} ${path}`, as }))
}

function withBody(step: Step, body: object | null): Step {
  return body === null ? step : { ...step, json: body }
}

function wrongBodies(ask: string, body: object): Step[] {
  return [
    { ask, text: JSON.stringify(body), headers: { 'content-type': 'text/plain' } },
    { ask, text: '{"', headers: json },
    { ask, text: '', headers: json },
    { ask, json: [] },
    { ask, json: { ...body, unknownField: 1 } },
  ]
}
