import { problem } from '@/lib/doors/http'
import { AppError, NotFoundError } from '@/lib/kernel/errors'
import type { Endpoint } from './endpoint'

const methodNames = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** All methods of one address. */
type Address = { parts: readonly string[]; methods: Map<string, Endpoint> }

/**
 * Returns what answers every request below `prefix`: the endpoint at its address, 404 for an address that nobody
 * serves, and 405 with `Allow` for a method that the address does not have (RFC 9110, 9457). HEAD goes with GET.
 */
export function router(
  prefix: string,
  endpoints: readonly Endpoint[],
): (request: Request) => Promise<Response> {
  const addresses = addressesOf(endpoints)
  return async (request) => {
    const found = find(addresses, new URL(request.url).pathname.slice(prefix.length))
    if (!found) return problem(new NotFoundError('This address'), request)
    const { methods, params } = found
    const served = methods.get(request.method === 'HEAD' ? 'GET' : request.method)
    if (served) return served.handle(request, { params: Promise.resolve(params) })
    return withoutEndpoint(request, methods)
  }
}

function addressesOf(endpoints: readonly Endpoint[]): Address[] {
  const addresses = new Map<string, Address>()
  for (const endpoint of endpoints) {
    const { path, method } = endpoint
    const address = addresses.get(path) ?? { parts: path.slice(1).split('/'), methods: new Map() }
    if (address.methods.has(method)) throw new Error(`${method} ${path} is served twice.`)
    address.methods.set(method, endpoint)
    addresses.set(path, address)
  }
  // Paths with fewer parameters are tried first, so a literal part wins over a parameter in its place.
  return [...addresses.values()].sort((a, b) => paramCount(a) - paramCount(b))
}

const isParam = (part: string) => part.startsWith('{')
const paramCount = ({ parts }: Address) => parts.filter(isParam).length

function find(addresses: readonly Address[], path: string) {
  const given = path.split('/').slice(1)
  for (const { parts, methods } of addresses) {
    const params = match(parts, given)
    if (params) return { methods, params }
  }
  return null
}

/** Returns the parameters of a path with this form; null when it has another form. */
function match(parts: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (parts.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const text = decoded(given[index] ?? '')
    if (text === null) return null
    if (isParam(part) && text !== '') params[part.slice(1, -1)] = text
    else if (part !== text) return null
  }
  return params
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

function withoutEndpoint(request: Request, methods: Address['methods']): Response {
  const allowed = methodNames.filter((name) => methods.has(name))
  const allow = [...allowed, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } })
  const message = `${request.method} is not allowed at this address. Allowed: ${allow}.`
  const response = problem(new AppError('method-not-allowed', 405, message), request)
  response.headers.set('allow', allow)
  return response
}
