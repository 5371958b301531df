type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string | string[]>> },
) => Promise<Response>
type RouteModule = Partial<Record<string, Handler>>
type Params = Record<string, string | string[]>

const modules = import.meta.glob<RouteModule>('../../app/api/v1/**/route.ts')
const routes = Object.keys(modules)
  .map((file) => ({ file, segments: segmentsOf(file.replace('../../app', '')).slice(0, -1) }))
  .toSorted((a, b) => (rankOf(a.segments) < rankOf(b.segments) ? -1 : 1))

/** Answers a request to `/api/v1` with the handler that Next would choose. Throws when there is none. */
export async function answerRequest(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const parts = segmentsOf(pathname)
  for (const { file, segments } of routes) {
    const params = paramsOf(segments, parts)
    const handler = params && (await modules[file]?.())?.[request.method]
    if (handler) return handler(request, { params: Promise.resolve(params) })
    if (params) break
  }
  throw new Error(`No route answers ${request.method} ${pathname}.`)
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1)
}

/** Sorts a name that is written out before a parameter, and both before a segment that takes the rest of a path. */
function rankOf(segments: string[]): string {
  return segments.map((segment) => (restOf(segment) ? '2' : nameOf(segment) ? '1' : '0')).join('')
}

/** Returns the parameters of a path when it is that of this route; null when it is not. */
function paramsOf(segments: string[], parts: string[]): Params | null {
  const params: Params = {}
  for (const [index, segment] of segments.entries()) {
    const rest = restOf(segment)
    if (rest) {
      const values = parts.slice(index).map(decodeURIComponent)
      if (values.length > 0) return { ...params, [rest.name]: values }
      return rest.optional ? params : null
    }
    const part = parts[index]
    const name = nameOf(segment)
    if (part === undefined || (name === undefined && segment !== part)) return null
    if (name !== undefined) params[name] = decodeURIComponent(part)
  }
  return parts.length === segments.length ? params : null
}

function nameOf(segment: string): string | undefined {
  return /^\[(\w+)\]$/.exec(segment)?.[1]
}

/** `[...name]` takes at least one part of a path, `[[...name]]` also none. */
function restOf(segment: string): { name: string; optional: boolean } | null {
  const [, optional, name] = /^(\[?)\[\.\.\.(\w+)\]\]?$/.exec(segment) ?? []
  return name === undefined ? null : { name, optional: optional === '[' }
}
